#include "fold_ticks.hpp"

#include <bar_windows.hpp>
#include <payload_decoder.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/ledger.hpp>
#include <weir/operators/map.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace ticks {
namespace {

using weir::kinesis::record;

class record_to_tick {
public:
  record_to_tick(tick_fields fields, std::string stream)
      : decoder_(std::make_shared<payload_decoder>(std::move(fields))), stream_(std::move(stream)) {}
  tick operator()(record const& r) const {
    tick out;
    std::string why;
    if (!decoder_->decode_under(r.partition_key(), r.payload(), r.position(), out, why)) refuse(r, std::move(why));
    return out;
  }

private:
  [[noreturn, gnu::cold]] void refuse(record const& r, std::string why) const {
    throw weir::error(weir::errc::malformed, "ticks: cannot use a record", std::move(why))
        .with_stream(stream_)
        .with_partition(std::string(r.shard_id()))
        .with_position(weir::kinesis::sequence_number_of(r.position()));
  }
  std::shared_ptr<payload_decoder> decoder_;
  std::string stream_;
};

bar_rules rules_of(function_options const& o) {
  std::chrono::nanoseconds const none(0);
  return bar_rules{o.window, o.bound, o.fields.trade_id.empty() ? none : o.dedup, none};
}

// Warns of them when it ends, however that is: they do not come again.
class late_ticks {
public:
  explicit late_ticks(weir::stream_context& of) noexcept : of_(of) {}
  late_ticks(late_ticks const&) = delete;
  late_ticks& operator=(late_ticks const&) = delete;
  ~late_ticks() {
    if (count_ == 0) return;
    of_.log().warning(
        fmt::format("ticks: {} ticks came when their bar had closed, and are not in it ({}, partition {}); a larger "
                    "TICKS_BOUND allows more disorder",
                    count_, of_.stream(), of_.partition()));
  }
  void add() noexcept { ++count_; }

private:
  weir::stream_context& of_;
  std::uint64_t count_ = 0;
};

}  // namespace

weir::task<> fold_ticks(weir::stream<record> records, weir::stream_context& context, function_options const& o) {
  if (!context.checkpointer().committed()) {
    context.log().warning(
        fmt::format("ticks: a shard begins ({}, partition {}): if it came of others by a split or a merge, bars that are "
                    "open there lack what those had of them",
                    context.stream(), context.partition()));
  }
  auto const bars = context.sink<closed_bar>("bars");
  late_ticks late(context);
  bar_rules rules = rules_of(o);
  rules.late = [&late](tick const&, weir::lateness const&) { late.add(); };
  weir::ledger const books;
  weir::stream<tick> ticks = std::move(records) | weir::map(record_to_tick(o.fields, std::string(context.stream())));
  weir::stream<closed_bar> closed = in_windows(std::move(ticks), rules, books);
  while (closed_bar const* const b = co_await closed.next()) co_await bars.write(*b);
}

}  // namespace ticks
