// An event of Event Hubs as it comes by AMQP, some 300 bytes: three annotations looked up, and a view of its body; beside Qpid Proton,
// where that is there.
#include "reference.hpp"

#include <weir/amqp/message_view.hpp>
#include <weir/amqp/message_writer.hpp>
#include <weir/eventhubs/record_unpacker.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#if WEIR_HAS_PROTON
#include <proton/codec.h>
#include <proton/message.h>
#endif

namespace {

using namespace weir;

// With the size of body that the research's figure of Proton is of.
std::string const& event() {
  static std::string const bytes = [] {
    std::string out;
    amqp::message_writer message(out);
    auto const map = message.begin_message_annotations();
    message.to().symbol("x-opt-sequence-number");
    message.to().int64(4'711);
    message.to().symbol("x-opt-offset");
    message.to().string("1234567890");
    message.to().symbol("x-opt-enqueued-time");
    message.to().timestamp(1'722'988'800'000);
    message.end(map);
    message.data(std::string(200, 'x'));
    return out;
  }();
  return bytes;
}

void read_view(benchmark::State& state) {
  std::int64_t sum = 0;
  for (auto _ : state) {
    std::string_view bytes = event();
    benchmark::DoNotOptimize(bytes);
    auto const message = amqp::message_view::read(bytes);
    auto const number = amqp::find(message->message_annotations, "x-opt-sequence-number");
    auto const offset = amqp::find(message->message_annotations, "x-opt-offset");
    auto const time = amqp::find(message->message_annotations, "x-opt-enqueued-time");
    sum += *number->integer() + static_cast<std::int64_t>(offset->text()->size()) + *time->timestamp() +
           static_cast<std::int64_t>(message->body.binary()->size());
  }
  benchmark::DoNotOptimize(sum);
  bench::per_element(state, 1);
}

void unpack_record(benchmark::State& state) {
  eventhubs::record_unpacker unpacker("0");
  std::int64_t sum = 0;
  for (auto _ : state) {
    auto const record = unpacker.unpack(event());
    sum += record->sequence_number() + record->arrival() + static_cast<std::int64_t>(record->payload().size() + record->offset().size());
  }
  benchmark::DoNotOptimize(sum);
  bench::per_element(state, 1);
}

#if WEIR_HAS_PROTON
void decode_by_proton(benchmark::State& state) {
  pn_message_t* const message = pn_message();
  std::int64_t sum = 0;
  for (auto _ : state) {
    pn_message_decode(message, event().data(), event().size());
    pn_data_t* const annotations = pn_message_annotations(message);
    pn_data_rewind(annotations);
    pn_data_next(annotations);
    pn_data_enter(annotations);
    while (pn_data_next(annotations)) {
      std::string_view const key(pn_data_get_symbol(annotations).start, pn_data_get_symbol(annotations).size);
      pn_data_next(annotations);
      if (key == "x-opt-sequence-number") sum += pn_data_get_long(annotations);
      else if (key == "x-opt-offset") sum += static_cast<std::int64_t>(pn_data_get_string(annotations).size);
      else sum += pn_data_get_timestamp(annotations);
    }
    pn_data_t* const body = pn_message_body(message);
    pn_data_rewind(body);
    pn_data_next(body);
    sum += static_cast<std::int64_t>(pn_data_get_binary(body).size);
  }
  benchmark::DoNotOptimize(sum);
  pn_message_free(message);
  bench::per_element(state, 1);
}
BENCHMARK(decode_by_proton)->Name("AMQP message: Proton, by hand");
#endif
BENCHMARK(read_view)->Name("AMQP message: three annotations, body");
BENCHMARK(unpack_record)->Name("AMQP message: an event that can be kept");

}  // namespace
