#include <weir/clock.hpp>

#include <weir/virtual_clock.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;

namespace {

class noting final : public timer {
public:
  noting(std::vector<int>& log, int id) : log_(log), id_(id) {}
  void fire() noexcept override { log_.push_back(id_); }

private:
  std::vector<int>& log_;
  int id_;
};

}  // namespace

TEST_CASE("timers fire in order of their due time, equal ones in the order of their start", "[framework][clock]") {
  std::vector<int> log;
  virtual_clock clock(0);
  noting a(log, 1), b(log, 2), c(log, 3), d(log, 4);
  clock.start(a, 30ns);
  clock.start(b, 10ns);
  clock.start(c, 30ns);
  clock.start(d, 0ns);
  while (clock.advance_to_next()) {}
  CHECK(log == std::vector<int>{4, 2, 1, 3});
  CHECK(clock.now() == 30);
}

TEST_CASE("a timer is stopped, started anew, or dies without firing", "[framework][clock]") {
  std::vector<int> log;
  virtual_clock clock(0);
  noting a(log, 1), b(log, 2);
  clock.start(a, 10ns);
  clock.start(b, 10ns);
  clock.start(a, 50ns);
  clock.stop(b);
  {
    noting dies(log, 3);
    clock.start(dies, 5ns);
    CHECK(clock.pending() == 2);
  }
  clock.advance(49ns);
  CHECK(log.empty());
  clock.advance(1ns);
  CHECK(log == std::vector<int>{1});
  CHECK_FALSE(a.pending());
}

TEST_CASE("a delay beyond the end of time does not wrap", "[framework][clock]") {
  std::vector<int> log;
  virtual_clock clock(end_of_time - 5);
  noting a(log, 1);
  clock.start(a, std::chrono::nanoseconds::max());
  clock.advance(4ns);
  CHECK(log.empty());
  CHECK(clock.pending() == 1);
}

TEST_CASE("the timer queue agrees with a sorted list under random starts and stops", "[framework][clock]") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<int> log;
    virtual_clock clock(0);
    std::vector<std::unique_ptr<noting>> timers;
    std::vector<std::pair<long, int>> expected;  // due, id; ids grow with the order of starts
    for (int id = 0; id < 100; ++id) {
      long const due = static_cast<long>(random() % 50);
      timers.push_back(std::make_unique<noting>(log, id));
      clock.start(*timers.back(), std::chrono::nanoseconds(due));
      expected.emplace_back(due, id);
      if (random() % 3 == 0) {
        std::size_t const victim = random() % timers.size();
        clock.stop(*timers[victim]);
        std::erase_if(expected, [&](auto const& e) { return e.second == static_cast<int>(victim); });
      }
    }
    std::stable_sort(expected.begin(), expected.end(), [](auto const& x, auto const& y) { return x.first < y.first; });
    while (clock.advance_to_next()) {}
    std::vector<int> ids;
    for (auto const& e : expected) ids.push_back(e.second);
    CHECK(log == ids);
  }
}
