#include "kinesis_commands.hpp"

#ifdef WEIR_HAS_KINESIS
#include "chosen_shards.hpp"
#include "record_printer.hpp"
#include "text.hpp"

#include <weir/application.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/log.hpp>
#include <weir/rfc3339.hpp>
#include <command_line/complain.hpp>
#include <command_line/event_loop.hpp>
#include <kinesis_access/access.hpp>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace kinesis_tool {
namespace {

using state_tool::record_printer;
using weir::kinesis::record;

void print(record const& r, record_printer& to) {
  if (!to.is_json()) return to.print(r.data());
  state_tool::json_line line;
  line.add("shard", r.shard_id()).add("sequence_number", weir::kinesis::sequence_number_of(r.position()));
  line.add("sub_sequence_number", weir::kinesis::sub_sequence_number_of(r.position()));
  line.add("arrival", weir::format_rfc3339(r.arrival(), 3)).add_bytes("partition_key", r.partition_key());
  line.add_bytes("data", r.data());
  to.print(std::move(line));
}

// One shard that cannot be read ends all of it, and says itself why.
weir::task<> print_all(weir::stream<record> records, record_printer& to, weir::application& all, std::exception_ptr& failure) {
  try {
    while (record const* const r = co_await records.next()) {
      print(*r, to);
      if (to.is_done()) break;
    }
  } catch (...) {
    if (!failure) failure = std::current_exception();
    all.stop();
  }
  if (to.is_done()) all.stop();
}

weir::kinesis::options reading(options const& o) {
  weir::kinesis::options from;
  from.stream = o.where.stream;
  from.start = kinesis_access::position_of(o.start);
  from.client = kinesis_access::client_of(o.where);
  if (!o.shards.empty()) from.service = std::make_shared<chosen_shards>(weir::kinesis::make_shard_service(from.client), o.shards);
  return from;
}

}  // namespace

int tail(options const& o) {
  bool complained = false;
  weir::settings settings;
  settings.name = "weir kinesis tail";
  settings.log = weir::logger(weir::log_level::warning, [&](weir::log_level level, std::string_view text) {
    bool const failed = level == weir::log_level::error;
    if (failed && !o.shards.empty()) return;  // that other shards are not read is what was asked for
    complained = complained || failed;
    command_line::complain("weir", text);
  });
  weir::application app(std::move(settings));
  record_printer to(o.json, o.most);
  std::exception_ptr failure;
  app.use_kinesis_stream(reading(o), [&](auto& pipeline) {
    pipeline.use_stream(
        [&](weir::stream<record> records, weir::stream_context&) { return print_all(std::move(records), to, app, failure); });
  });
  try {
    command_line::event_loop().run(app.serve());
  } catch (...) {
    if (!complained) throw;  // else it has been said
  }
  if (failure) std::rethrow_exception(failure);
  return complained ? 1 : 0;
}

}  // namespace kinesis_tool
#endif
