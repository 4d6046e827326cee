#include <weir/eventhubs/credit_window.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>

using namespace weir;
using eventhubs::credit_window;

// azure-sdk-for-js #39452 (credit that grows while idle), azure-sdk-for-java #20790 (a backlog in memory).
TEST_CASE("what was asked for and what waits never exceed the window", "[eventhubs]") {
  std::mt19937 random(5);
  for (std::uint32_t const events : {1U, 2U, 7U, 300U}) {
    credit_window window(events, std::size_t{1} << 30);
    std::deque<std::size_t> waiting;
    std::uint32_t outstanding = 0;
    std::size_t came = 0;
    for (int step = 0; step != 20000; ++step) {
      if (auto const granted = window.grant(outstanding)) {
        CHECK(*granted > outstanding);
        outstanding = *granted;
      }
      CHECK(outstanding + window.waiting() <= events);
      if (random() % 2 == 0 && outstanding > 0) {
        --outstanding;
        waiting.push_back(1 + random() % 2000);
        window.arrived(waiting.back());
        ++came;
      } else if (random() % 3 == 0 && !waiting.empty()) {
        window.taken(waiting.front());
        waiting.pop_front();
      }
      CHECK(window.waiting() == waiting.size());
    }
    CHECK(came > 1000);  // it does not stall
    for (int idle = 0; idle != 1000; ++idle)
      if (auto const granted = window.grant(outstanding)) outstanding = *granted;
    CHECK(outstanding + window.waiting() <= events);
  }
}

TEST_CASE("bytes that wait are bounded by the size that events have", "[eventhubs]") {
  credit_window window(1000, 1'000'000);
  std::uint32_t outstanding = window.grant(0).value_or(0);
  CHECK(outstanding == 976);  // of the kilobyte that is assumed at first
  window.arrived(100'000);
  --outstanding;
  window.taken(100'000);
  // From here on it expects ten of them, not a thousand; what it has asked for already may still come.
  CHECK_FALSE(window.grant(outstanding));
  std::size_t most = 0;
  std::deque<std::size_t> waiting;
  outstanding = window.grant(0).value_or(0);
  CHECK(outstanding == 10);
  for (int i = 0; i != 1000; ++i) {
    if (auto const granted = window.grant(outstanding)) outstanding = *granted;
    if (outstanding > 0) {
      --outstanding;
      window.arrived(100'000);
      waiting.push_back(100'000);
    } else {
      window.taken(waiting.front());
      waiting.pop_front();
    }
    most = std::max(most, window.waiting_bytes());
  }
  CHECK(most <= 1'000'000);
}

TEST_CASE("an event larger than the window comes alone", "[eventhubs]") {
  credit_window window(100, 1000);
  CHECK(window.grant(0) == 1);
  window.arrived(5000);
  CHECK_FALSE(window.grant(0));
  window.taken(5000);
  CHECK(window.grant(0) == 1);
}
