#include <in_chunks.hpp>
#include <output.hpp>
#include <queries.hpp>

#include "support/catch.hpp"

#include <weir/instant.hpp>
#include <weir/testing/run.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <variant>
#include <vector>

using namespace nexmark;

namespace {

constexpr weir::instant second = 1'000'000'000;

// All windows, counted one by one.
std::vector<output::row> count_naively(std::vector<event> const& events, weir::instant size, weir::instant slide) {
  std::map<weir::instant, std::map<std::int64_t, std::int64_t>> windows;  // by end
  for (event const& e : events) {
    bid const& b = std::get<bid>(e);
    for (weir::instant end = b.time / slide * slide + slide; end - size <= b.time; end += slide) ++windows[end][b.auction];
  }
  std::vector<output::row> out;
  for (auto const& [end, counts] : windows) {
    auto const most = std::max_element(counts.begin(), counts.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
    for (auto const& [auction, count] : counts)
      if (count == most->second) out.push_back({end, auction, count});
  }
  return out;
}

std::vector<output::row> sorted(std::vector<output::row> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

// Few auctions that come and go, so that counts rise, fall, tie, and come back to what they were; now and then nobody bids for long.
TEST_CASE("the hottest items are those that counting each window finds") {
  std::mt19937_64 random(7);
  std::vector<event> events;
  weir::instant now = 1'000 * second;
  for (int i = 0; i != 12'000; ++i) {
    now += static_cast<weir::instant>(random() % 100) * second / 1'000;
    if (random() % 2'000 == 0) now += 90 * second;
    events.push_back(bid{static_cast<std::int64_t>(random() % 30), 1, 1, now, 0});
  }
  std::vector<output::row> ten, sixty;
  output ten_seconds(ten), a_minute(sixty);
  weir::testing::run(q5_hot_items(in_chunks(events), ten_seconds));
  weir::testing::run(q5_hot_items_of_a_minute(in_chunks(events), a_minute));
  CHECK(sorted(ten) == sorted(count_naively(events, 10 * second, 2 * second)));
  CHECK(sorted(sixty) == sorted(count_naively(events, 60 * second, second)));
}
