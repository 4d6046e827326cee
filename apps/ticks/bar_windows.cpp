#include "bar_windows.hpp"

#include "bar_fold.hpp"
#include "trade_key.hpp"

#include <weir/error.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>

namespace ticks {
namespace {

[[noreturn]] void refuse(tick const& t, weir::time_fault fault) {
  throw weir::error(weir::errc::malformed, "ticks: cannot put a trade into a bar",
                    fmt::format("it {}: {}", weir::to_string(fault), command_line::time_text(t.time())),
                    "correct the time, or the unit of the times (--time-unit, TICKS_TIME_UNIT)")
      .with_stream(std::string(t.name.view()))
      .with_position(t.at.text());
}

weir::timed_stream<tick> in_time(weir::stream<tick> ticks, bar_rules const& rules, weir::ledger const& books) {
  auto timed = std::move(ticks) | weir::event_time(&tick::time, weir::bounded_disorder(rules.bound))
                                      .max_ahead(rules.max_ahead)
                                      .bad_times_to([](tick& t, weir::time_fault fault) { refuse(t, fault); })
                                      .counted_in(books, "bars");
  if (rules.horizon == std::chrono::nanoseconds(0)) return timed;
  return std::move(timed) |
         weir::dedup([](tick const& t) { return trade_key(t); }, rules.horizon).named("trades").counted_in(books, "bars");
}

template <class Emission>
weir::stream<closed_bar> fold(weir::timed_stream<tick> ticks, bar_rules const& rules, weir::ledger const& books, Emission emission) {
  auto late = [tell = rules.late](tick const& t, weir::lateness const& l) {
    if (tell) tell(t, l);
  };
  // Of a stream, the partition key of a symbol's records is the symbol: by it its open bars go on where its shard goes on.
  auto const partition_key = [](symbol const& name) { return std::string(name.view()); };
  return std::move(ticks) | weir::key_by(&tick::name, weir::partitioned_by(partition_key)) |
         weir::tumbling_window(rules.window, weir::late::side_output(std::move(late)), std::move(emission)) |
         weir::aggregate(bar_fold()).named("bars").counted_in(books, "bars");
}

}  // namespace

weir::stream<closed_bar> in_windows(weir::stream<tick> ticks, bar_rules const& rules, weir::ledger const& books) {
  auto timed = in_time(std::move(ticks), rules, books);
  if (rules.early == std::chrono::nanoseconds(0)) return fold(std::move(timed), rules, books, weir::emit::final());
  return fold(std::move(timed), rules, books, weir::emit::early(rules.early));
}

}  // namespace ticks
