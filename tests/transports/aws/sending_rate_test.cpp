// Times are those of the vector, in seconds from the start.
#include <weir/aws/detail/sending_rate.hpp>

#include "support/catch.hpp"

#include <cmath>

using namespace weir;
using namespace std::chrono_literals;
using aws::detail::sending_rate;

namespace {

constexpr instant start = 1'704'067'200'000'000'000;
instant at(double seconds) { return start + static_cast<instant>(std::llround(seconds * 1e9)); }
// How long a request waits that is sent then.
std::chrono::nanoseconds acquire(sending_rate& rate, instant now) {
  sending_rate::turn turn(rate, now);
  turn.sent();
  return turn.wait();
}

}  // namespace

TEST_CASE("the rate of sending falls and rises as AWS publishes it", "[aws][retry]") {
  // The case that the SDKs for Java, .NET, JavaScript and Rust share in their own tests ("update client sending rate"); the same numbers
  // come out of a program in Python made after the description of the algorithm.
  struct step {
    bool throttled;
    double time, measured, allowed;
  };
  constexpr step steps[] = {{false, 0.2, 0.000000, 0.500000}, {false, 0.4, 0.000000, 0.500000}, {false, 0.6, 4.800000, 0.500000},
                            {false, 0.8, 4.800000, 0.500000}, {false, 1.0, 4.160000, 0.500000}, {false, 1.2, 4.160000, 0.691200},
                            {false, 1.4, 4.160000, 1.097600}, {false, 1.6, 5.632000, 1.638400}, {false, 1.8, 5.632000, 2.332800},
                            {true, 2.0, 4.326400, 3.028480},  {false, 2.2, 4.326400, 3.486639}, {false, 2.4, 4.326400, 3.821874},
                            {false, 2.6, 5.665280, 4.053386}, {false, 2.8, 5.665280, 4.200373}, {false, 3.0, 4.333056, 4.282037},
                            {true, 3.2, 4.333056, 2.997426},  {false, 3.4, 4.333056, 3.452226}};
  sending_rate rate;
  (void)acquire(rate, at(0));
  for (step const& s : steps) {
    INFO(s.time);
    rate.answered(s.throttled, at(s.time));
    CHECK(std::abs(rate.measured() - s.measured) < 1e-6);
    CHECK(std::abs(rate.allowed() - s.allowed) < 1e-6);
  }
}

TEST_CASE("nobody waits before a service says slow down", "[aws][retry]") {
  sending_rate rate;
  for (int i = 0; i != 1000; ++i) {
    CHECK(acquire(rate, at(0)) == 0ns);
    rate.answered(false, at(0));
  }
}

TEST_CASE("who sends more than is allowed waits, each behind the other", "[aws][retry]") {
  sending_rate rate;
  (void)acquire(rate, at(0));
  rate.answered(true, at(0.25));  // nothing is measured so far, so the least rate: one in two seconds, from an empty bucket
  CHECK(acquire(rate, at(0.25)) == 2s);
  CHECK(acquire(rate, at(0.25)) == 4s);
  // Four seconds on, those two have been paid for.
  CHECK(acquire(rate, at(4.25)) == 2s);
  // Nothing is saved up beyond one.
  CHECK(acquire(rate, at(100)) == 0s);
  CHECK(acquire(rate, at(100)) == 2s);
}

TEST_CASE("who gives up waiting leaves its turn to others", "[aws][retry]") {
  sending_rate rate;
  { sending_rate::turn const before_any_limit(rate, at(0)); }
  rate.answered(true, at(0.25));  // as above: one in two seconds, from an empty bucket
  {
    sending_rate::turn const given_up(rate, at(0.25));
    CHECK(given_up.wait() == 2s);
  }
  CHECK(acquire(rate, at(0.25)) == 2s);
  CHECK(acquire(rate, at(0.25)) == 4s);
  {
    sending_rate::turn const full(rate, at(100));
    CHECK(full.wait() == 0s);
  }
  CHECK(acquire(rate, at(100)) == 0s);
  CHECK(acquire(rate, at(100)) == 2s);
}

TEST_CASE("a clock that is set back makes nobody wait longer", "[aws][retry]") {
  sending_rate rate;
  (void)acquire(rate, at(1000));
  rate.answered(true, at(1000.25));
  CHECK(acquire(rate, at(10)) == 2s);
  CHECK(acquire(rate, at(1004.25)) == 0s);
}
