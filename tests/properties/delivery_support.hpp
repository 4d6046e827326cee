#pragma once
#include <weir/instant.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/watermark_strategy.hpp>
#include <weir/testing/delivery_check.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace weir::test {

/// What happened: `id` is its own, and `value` what it says.
struct happening {
  happening(int i, int k, instant t, int v) noexcept : id(i), key(k), time(t), value(v) {}
  int id, key;
  instant time;
  int value;
};

/// Two keys and some disorder: some come too late where the bound is 4. In chunks of 1 to 4.
inline std::vector<happening> happenings() {
  instant const times[] = {1, 3, 2, 8, 11, 9, 12, 4, 17, 15, 23, 21, 2, 30, 31, 26, 45, 44, 20, 60};
  std::vector<happening> out;
  for (instant const t : times) {
    int const id = static_cast<int>(out.size());
    out.emplace_back(id, id % 2, t, id + 1);
  }
  return out;
}
inline constexpr std::chrono::nanoseconds bound(4);

inline testing::script<happening> played(std::vector<happening> const& all) {
  testing::script<happening> out("happenings");
  for (std::size_t i = 0, n = 1; i < all.size(); i += n, n = n % 4 + 1) {
    out.elements(std::vector<happening>(all.begin() + static_cast<std::ptrdiff_t>(i),
                                        all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), i + n))));
    if (n == 2) out.wait(std::chrono::milliseconds(700));
  }
  return out;
}
inline auto in_time() { return event_time(&happening::time, bounded_disorder(bound)); }

/// Nothing may be lost, in any of enough trials.
inline void check_delivers(testing::delivery_report const& report) {
  INFO(report.text());
  CHECK(report.passed());
  CHECK(report.trials > 200);
  CHECK(report.commits > 3);
  CHECK(report.writes > 4);
}

using contents = std::map<std::string, std::string>;

}  // namespace weir::test
