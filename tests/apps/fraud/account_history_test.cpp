#include <account_history.hpp>

#include "support/catch.hpp"

#include <vector>

using namespace fraud;

namespace {

constexpr weir::instant second = 1'000'000'000, minute = 60 * second, hour = 60 * minute;
place const berlin{52.52, 13.405}, potsdam{52.40, 13.06}, paris{48.8566, 2.3522}, tokyo{35.6762, 139.6503};

login failed(weir::instant t) { return {"a", t, berlin, false}; }
login succeeded(weir::instant t, place p) { return {"a", t, p, true}; }

std::vector<alert> judge_all(std::vector<login> const& logins, rules const& r = {}) {
  account_history past;
  std::vector<alert> out;
  for (auto const& l : logins)
    if (auto const found = judge(l, past, r)) out.push_back(*found);
  return out;
}

}  // namespace

//  x---x-----------x        the third within five minutes of the first
TEST_CASE("three failed logins within five minutes are an alert, both ends included") {
  CHECK(judge_all({failed(0), failed(minute), failed(5 * minute)}) == std::vector<alert>{failed_logins{"a", 0, 5 * minute, 3}});
  CHECK(judge_all({failed(0), failed(minute), failed(5 * minute + 1)}).empty());
  CHECK(judge_all({failed(7), failed(7), failed(7)}) == std::vector<alert>{failed_logins{"a", 7, 7, 3}});
}

//  x--------x--x------x     the first is too old for the fourth, the last three are close
TEST_CASE("the window of failed logins moves with them") {
  CHECK(judge_all({failed(0), failed(4 * minute), failed(6 * minute), failed(8 * minute)}) ==
        std::vector<alert>{failed_logins{"a", 4 * minute, 8 * minute, 3}});
}

TEST_CASE("failed logins that were part of an alert are not part of the next") {
  std::vector<login> logins;
  for (int i = 0; i != 7; ++i) logins.push_back(failed(i * second));
  CHECK(judge_all(logins) == std::vector<alert>{failed_logins{"a", 0, 2 * second, 3}, failed_logins{"a", 3 * second, 5 * second, 3}});
}

TEST_CASE("a successful login between failed ones changes nothing") {
  CHECK(judge_all({failed(0), failed(1), succeeded(2, berlin), failed(3)}).size() == 1);
}

TEST_CASE("the number of failed logins and their time are rules") {
  rules r;
  r.failures = 2;
  r.within = second;
  CHECK(judge_all({failed(0), failed(second)}, r).size() == 1);
  CHECK(judge_all({failed(0), failed(second + 1)}, r).empty());
  r.failures = 1;
  CHECK(judge_all({failed(0), failed(0)}, r).size() == 2);
}

// Berlin to Paris is 877 km (spherical law of cosines).
TEST_CASE("a journey faster than the greatest speed is an alert") {
  CHECK(judge_all({succeeded(0, berlin), succeeded(hour, paris)}).empty());
  CHECK(judge_all({succeeded(0, berlin), succeeded(hour / 2, paris)}) ==
        std::vector<alert>{impossible_travel{"a", 0, hour / 2, berlin, paris}});
  CHECK(judge_all({succeeded(0, berlin), succeeded(0, tokyo)}).size() == 1);
  rules r;
  r.max_speed = 870;
  CHECK(judge_all({succeeded(0, berlin), succeeded(hour, paris)}, r).size() == 1);
}

TEST_CASE("each journey is judged from the login before it") {
  CHECK(
      judge_all({succeeded(0, berlin), succeeded(minute, tokyo), succeeded(2 * minute, tokyo), succeeded(3 * minute, berlin)}) ==
      std::vector<alert>{impossible_travel{"a", 0, minute, berlin, tokyo}, impossible_travel{"a", 2 * minute, 3 * minute, tokyo, berlin}});
}

TEST_CASE("places closer than geolocation can tell are no journey") {
  CHECK(judge_all({succeeded(0, berlin), succeeded(1, potsdam)}).empty());
  rules r;
  r.least_distance = 0;
  CHECK(judge_all({succeeded(0, berlin), succeeded(1, potsdam)}, r).size() == 1);
  CHECK(judge_all({succeeded(0, berlin), succeeded(0, berlin)}, r).empty());
}

TEST_CASE("a failed login from afar is no journey") {
  CHECK(judge_all({succeeded(0, berlin), {"a", minute, tokyo, false}, succeeded(2 * minute, berlin)}).empty());
}

TEST_CASE("failed logins are forgotten when they are too old") {
  account_history past;
  for (int i = 0; i != 1'000; ++i) {
    judge(failed(i * 3 * minute), past, {});
    CHECK(past.failures.size() <= 2);
  }
}

// Half of the circumference, 20,015.1 km, at 1,000 km/h.
TEST_CASE("an account is remembered for as long as its last login can matter") {
  CHECK(memory_of({}) == Approx(20.0151 * 3.6e12).epsilon(1e-5));
  rules r;
  r.max_speed = 1e9;
  CHECK(memory_of(r) == r.within);
  r.max_speed = 1e-9;
  CHECK(memory_of(r) >= 1'000'000'000'000'000'000);
}
