// An event of Kinesis as Lambda has it, read and folded: 10,000 records of 100 bytes, some 665 bytes of JSON each, beside simdjson alone
// over the same bytes.
#include "reference.hpp"

#include <weir/lambda/event.hpp>
#include <weir/lambda/kinesis_records.hpp>
#include <weir/testing/lambda_events.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <simdjson.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace {

using namespace weir;
constexpr std::int64_t records = 10'000;

std::string const& payload() {
  static std::string const text = [] {
    testing::kinesis_event out;
    for (std::int64_t i = 0; i != records; ++i) {
      std::string data(100, 'x');
      for (std::size_t k = 0; k != data.size(); ++k) data[k] = static_cast<char>(i * 31 + static_cast<std::int64_t>(k) * 7);
      out.record(data, "pk-" + std::to_string(i % 1'000));
    }
    return out.json();
  }();
  return text;
}

// Of what is in a record.
std::uint64_t amount_of(kinesis::record const& r) noexcept {
  std::uint64_t out = 0;
  std::memcpy(&out, r.data().data(), sizeof out);
  return out + r.partition_key().size();
}

stream<kinesis::record> read_event(lambda::event e) {
  lambda::kinesis_records reader(e);
  for (auto some = reader.next(); !some.empty(); some = reader.next()) co_yield some;
}
task<std::uint64_t> fold_event() {
  std::uint64_t sum = 0;
  auto all = read_event(lambda::event(payload())) | for_each([&sum](kinesis::record& r) { sum += amount_of(r); });
  co_await all;
  co_return sum;
}

void fold(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(testing::run(fold_event()));
  bench::per_element(state, records);
  state.counters["bytes"] = static_cast<double>(payload().size()) / double{records};
}

void look_through(benchmark::State& state) {
  for (auto _ : state) {
    lambda::event const e(payload());
    benchmark::DoNotOptimize(e.size());
  }
  bench::per_element(state, records);
}

void simdjson_over_event(benchmark::State& state) {
  simdjson::dom::parser parser;
  for (auto _ : state) {
    simdjson::padded_string const body(payload());  // an event has one of its own, too
    std::size_t bytes = 0;
    for (simdjson::dom::element const r : parser.parse(body)["Records"].get_array()) {
      auto const k = r["kinesis"];
      bytes += k["data"].get_string().value().size() + k["partitionKey"].get_string().value().size();
      bytes += k["sequenceNumber"].get_string().value().size();
    }
    benchmark::DoNotOptimize(bytes);
  }
  bench::per_element(state, records);
}

BENCHMARK(simdjson_over_event)->Name("event of Kinesis, simdjson by hand, base64 left");
BENCHMARK(look_through)->Name("event of Kinesis, looked through");
BENCHMARK(fold)->Name("event of Kinesis, weir::lambda, folded");

}  // namespace
