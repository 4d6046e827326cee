#include "kinesis_commands.hpp"

#ifdef WEIR_HAS_KINESIS
#include "chosen_shards.hpp"
#include "text.hpp"

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/log.hpp>
#include <weir/rfc3339.hpp>
#include <command_line/complain.hpp>
#include <command_line/event_loop.hpp>
#include <kinesis_access/access.hpp>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace kinesis_tool {
namespace {

using weir::kinesis::record;

class printer {
public:
  explicit printer(options const& o) : json_(o.json), left_(o.most.value_or(std::numeric_limits<std::uint64_t>::max())) {}

  bool is_done() const noexcept { return left_ == 0; }
  void print(record const& r) {
    if (left_ == 0) return;
    --left_;
    if (json_) print_json(r);
    else print_text(r.data());
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw weir::error(std::error_code(errno, std::system_category()), "weir: cannot write to standard output");
  }

private:
  static void print_text(std::string_view data) {
    std::fwrite(data.data(), 1, data.size(), stdout);
    std::fputc('\n', stdout);
  }
  static void print_json(record const& r) {
    state_tool::json_line line;
    line.add("shard", r.shard_id()).add("sequence_number", weir::kinesis::sequence_number_of(r.position()));
    line.add("sub_sequence_number", weir::kinesis::sub_sequence_number_of(r.position()));
    line.add("arrival", weir::format_rfc3339(r.arrival(), 3)).add_bytes("partition_key", r.partition_key());
    line.add_bytes("data", r.data()).print();
  }

  bool json_;
  std::uint64_t left_;
};

// One shard that cannot be read ends all of it, and says itself why.
weir::task<> print_all(weir::stream<record> records, printer& to, weir::application& all, std::exception_ptr& failure) {
  try {
    while (record const* const r = co_await records.next()) {
      to.print(*r);
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
  printer to(o);
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
