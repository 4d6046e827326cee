// Streams of instants that are their own time, for the tests of event_time.
#pragma once
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/virtual_clock.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

#include <sstream>

namespace weir::test {

inline constexpr instant second = 1'000'000'000, day = 86'400 * second, year = 365 * day;
inline instant const simulated_now = virtual_clock().now();  // 2024

inline constexpr auto itself = [](instant x) { return x; };
auto with(feed<instant> in, auto strategy) { return in.open() | event_time(itself, strategy); }
std::string shown(auto chain) {
  timed_stream<typename decltype(chain)::value_type> out = std::move(chain);
  return testing::run(show(std::move(out)));
}
/// Elements by themselves, so that no watermarks coalesce.
inline feed<instant> each(std::vector<instant> xs) { return feed<instant>(std::move(xs)).chunks(1); }
/// A live source: "10 ~5 20" is an element, 5 ns of quiet, and another.
inline stream<instant> live(std::string line) {
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.front() == '~') {
      co_yield mark::idle(ns(std::stoll(word.substr(1))));
    } else {
      instant x = std::stoll(word);
      co_yield std::span<instant>(&x, 1);
    }
  }
}
auto with(std::string line, auto strategy) { return live(std::move(line)) | event_time(itself, strategy); }

/// Parts of a shown stream: an element far away, and a watermark.
inline std::string at(instant t) { return std::to_string(t) + "@" + std::to_string(t); }
inline std::string mark_at(instant t) { return "w" + std::to_string(t); }

/// Counts in windows of 10 ns, at most 2 ns out of order.
inline auto in_tens(stream<instant> s) {
  return std::move(s) | event_time(itself, bounded_disorder(2ns)) | tumbling_window(10ns, late::drop()) | aggregate(count());
}

}  // namespace weir::test
