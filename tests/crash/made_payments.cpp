#include "crash/made_payments.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

namespace weir::test {
namespace {

struct made {
  int id;
  int shop;
  long hundredths;
  long time;  // ms since the epoch
};

std::string line_of(made const& p) {
  char text[200];
  std::snprintf(text, sizeof text,
                R"({"id":"pay-%d","key":"shop-%d","amount":"%s%ld.%02ld","time":%ld})"
                "\n",
                p.id, p.shop, p.hundredths < 0 ? "-" : "", std::labs(p.hundredths) / 100, std::labs(p.hundredths) % 100, p.time);
  return text;
}

}  // namespace

made_payments::made_payments(int deliveries) {
  constexpr long begin = 1'735'828'200'000;
  std::mt19937 dice(2025);
  auto const up_to = [&dice](int n) { return static_cast<int>(dice() % (static_cast<unsigned>(n) + 1)); };
  long newest_time = begin;
  std::vector<made> all;
  std::map<std::pair<int, long>, std::pair<long, long>> sums;
  for (int i = 0; i != deliveries; ++i) {
    made p{};
    if (!all.empty() && up_to(4) == 0) {
      int const newest = static_cast<int>(all.size()) - 1;
      p = all[static_cast<std::size_t>(newest - up_to(std::min(newest, up_to(3) == 0 ? 2'500 : 40)))];
    } else {
      long const behind = up_to(49) == 0 ? up_to(300'000) : up_to(9'000);
      p = {static_cast<int>(all.size()), up_to(49), up_to(20'000) - 1'000, std::max(begin, begin + i * 100L - behind)};
      all.push_back(p);
      auto& sum = sums[{p.shop, p.time / 60'000 * 60'000}];
      ++sum.first;
      sum.second += p.hundredths;
    }
    lines_ += line_of(p);
    newest_time = std::max(newest_time, p.time);
  }
  for (auto const& [where, sum] : sums)
    totals_.push_back("shop-" + std::to_string(where.first) + ',' + std::to_string(where.second) + ',' + std::to_string(sum.first) + ',' +
                      std::to_string(sum.second));
  std::sort(totals_.begin(), totals_.end());
  first_open_window_ = (newest_time - 10'001) / 60'000 * 60'000;
}

}  // namespace weir::test
