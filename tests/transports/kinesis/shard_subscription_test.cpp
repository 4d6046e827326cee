#include <weir/kinesis/shard_subscription.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/sequence_number.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::record_batch;
using kinesis::shard_subscription;
using kinesis::starting_position;
using step = kinesis::subscription_step;
using kind = kinesis::subscription_step::kind;

namespace {

constexpr instant second = 1'000'000'000;

position at_number(int n) { return *kinesis::position_of(std::to_string(n)); }
record_batch an_event(std::vector<int> const& numbers, std::string continuation, std::chrono::milliseconds behind = 0ms) {
  record_batch b;
  for (int const n : numbers) {
    kinesis::record_view r;
    r.position = at_number(n);
    b.records.push_back(r);
  }
  b.continuation = std::move(continuation);
  b.behind = behind;
  return b;
}
std::vector<int> take(shard_subscription& s, record_batch b, instant now) {
  std::vector<int> out;
  s.got_event(b, now);
  for (auto const& r : b.records) out.push_back(std::stoi(kinesis::sequence_number_of(r.position)));
  return out;
}
// The step that is not a wait, and when it is due.
step next_step(shard_subscription& s, instant& now) {
  step out = s.next(now);
  while (out.what() == kind::wait) {
    REQUIRE(out.until() > now);
    now = out.until();
    out = s.next(now);
  }
  return out;
}

}  // namespace

TEST_CASE("the next subscription goes on at the continuation of the last event", "[kinesis][fan_out]") {
  instant now = 0;
  shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
  step const first = s.next(now);
  REQUIRE(first.what() == kind::subscribe);
  CHECK(first.from() == starting_position::trim_horizon());
  s.subscribed(now);
  CHECK(take(s, an_event({1, 2}, "7"), now) == std::vector<int>{1, 2});
  CHECK_FALSE(s.idle());
  now = 300 * second;
  s.ended(now);
  step const again = s.next(now);  // after five minutes: at once
  REQUIRE(again.what() == kind::subscribe);
  CHECK(again.from() == starting_position::after("7"));
}

TEST_CASE("behind a position it begins with its record, which may have others in it", "[kinesis][fan_out]") {
  instant now = 0;
  shard_subscription s(starting_position::trim_horizon(), *kinesis::position_of("5", 3), 1);
  CHECK(s.next(now).from() == starting_position::at("5"));
  s.subscribed(now);
  CHECK(take(s, an_event({5, 6}, "6"), now) == std::vector<int>{5, 6});
  CHECK(s.reached() == kinesis::position_of("6", (std::uint64_t{1} << 61) - 1));
}

TEST_CASE("what came before is left out when it comes again", "[kinesis][fan_out]") {
  instant now = 0;
  shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
  (void)s.next(now);
  s.subscribed(now);
  CHECK(take(s, an_event({1, 2, 3}, "3"), now) == std::vector<int>{1, 2, 3});
  CHECK(take(s, an_event({2, 3, 4}, "4"), now) == std::vector<int>{4});
  CHECK(take(s, an_event({3, 4}, "4"), now).empty());
}

// Bug 25 of the field: localstack sends a ContinuationSequenceNumber of 0.
TEST_CASE("an odd continuation is not gone on at", "[kinesis][fan_out]") {
  instant now = 0;
  for (char const* const odd : {"0", "2", "shardId-0", "LATEST"}) {
    shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
    (void)s.next(now);
    s.subscribed(now);
    (void)take(s, an_event({3}, odd), now);
    s.ended(now);
    instant then = now;
    CHECK(next_step(s, then).from() == starting_position::after("3"));
  }
  SECTION("nor at one that the service refuses") {
    shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
    (void)s.next(now);
    s.subscribed(now);
    (void)take(s, an_event({3}, "9"), now);
    s.ended(now);
    CHECK(next_step(s, now).from() == starting_position::after("9"));
    CHECK(s.failed(kinesis::errc::invalid_argument, now));
    CHECK(next_step(s, now).from() == starting_position::after("3"));
    CHECK_FALSE(s.failed(kinesis::errc::invalid_argument, now));
  }
}

TEST_CASE("from the tip on nothing is left out between subscriptions", "[kinesis][fan_out]") {
  instant now = 1'000 * second;
  shard_subscription s(starting_position::latest(), std::nullopt, 1);
  CHECK(s.next(now).from() == starting_position::latest());
  CHECK(s.failed(errc::unavailable, now));  // it was never agreed to: the tip is still ahead
  CHECK(next_step(s, now).from() == starting_position::latest());
  instant const agreed = now;
  s.subscribed(now);
  CHECK(s.failed(errc::unavailable, now));  // before any event
  CHECK(next_step(s, now).from() == starting_position::at(agreed));
  s.subscribed(now);
  (void)take(s, an_event({}, "17"), now);
  CHECK(s.idle());
  s.ended(now);
  CHECK(next_step(s, now).from() == starting_position::after("17"));
}

TEST_CASE("the tip is the service's time, whatever this machine's clock says", "[kinesis][fan_out]") {
  for (std::chrono::seconds const ahead : {-60s, 60s}) {
    instant now = 1'000 * second;
    shard_subscription s(starting_position::latest(), std::nullopt, 1);
    (void)s.next(now);
    s.subscribed(now + second, ahead);  // what comes while it is asked is not left out
    CHECK(s.failed(errc::unavailable, now));
    CHECK(next_step(s, now).from() == starting_position::at((1'000 + ahead.count()) * second));
    CHECK(s.start() == starting_position::at((1'000 + ahead.count()) * second));
  }
}

TEST_CASE("a time at which the service's clock is not yet is tried again", "[kinesis][fan_out]") {
  instant now = 1'000 * second;
  shard_subscription s(starting_position::latest(), std::nullopt, 1);
  (void)s.next(now);
  s.subscribed(now);
  CHECK(s.failed(errc::unavailable, now));
  (void)next_step(s, now);
  CHECK(s.failed(kinesis::errc::invalid_argument, now));
  now += 700 * second;
  (void)next_step(s, now);
  CHECK_FALSE(s.failed(kinesis::errc::invalid_argument, now));
}

// SubscribeToShard, API reference: "If you call SubscribeToShard again with the same ConsumerARN and ShardId within 5 seconds of a
// successful call, you'll get a ResourceInUseException."
TEST_CASE("the service is not asked again sooner than it allows", "[kinesis][fan_out]") {
  instant now = 0;
  shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
  (void)s.next(now);
  s.subscribed(now);
  (void)take(s, an_event({1}, "1"), now);
  now += second / 2;
  CHECK(s.failed(errc::unavailable, now));
  (void)next_step(s, now);
  CHECK(now >= 5 * second);
  CHECK(now <= 15 * second);
  instant const refused = now;
  CHECK(s.failed(kinesis::errc::resource_in_use, now));
  (void)next_step(s, now);
  CHECK(now >= refused + 5 * second);
  CHECK(now <= refused + 6 * second);
}

TEST_CASE("subscriptions that end without an event are asked for less and less often", "[kinesis][fan_out]") {
  instant now = 0;
  shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
  for (int i = 0; i != 50; ++i) {
    (void)next_step(s, now);
    s.subscribed(now);
    s.ended(now);
  }
  CHECK(now >= 49 * 5 * second);
  CHECK(s.failures() == 50);
  (void)next_step(s, now);
  s.subscribed(now);
  (void)take(s, an_event({1}, "1"), now);
  CHECK(s.failures() == 0);
}

TEST_CASE("the end of a shard is an event without a continuation", "[kinesis][fan_out]") {
  instant now = 0;
  shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
  (void)s.next(now);
  s.subscribed(now);
  CHECK(take(s, an_event({1}, ""), now) == std::vector<int>{1});
  CHECK(s.next(now).what() == kind::end);
  s.ended(now);
  CHECK(s.next(now).what() == kind::end);
  s.not_ended(now);
  CHECK(next_step(s, now).from() == starting_position::after("1"));
}

TEST_CASE("an event that has records behind it, or says that there are, is not idle", "[kinesis][fan_out]") {
  shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
  (void)s.next(0);
  s.subscribed(0);
  (void)take(s, an_event({}, "1", 5ms), 0);
  CHECK_FALSE(s.idle());
  (void)take(s, an_event({}, "1"), 0);
  CHECK(s.idle());
  CHECK(s.failed(errc::timed_out, 0));
  CHECK_FALSE(s.idle());
}

TEST_CASE("failures that do not pass are somebody else's, damaged events are not", "[kinesis][fan_out]") {
  shard_subscription s(starting_position::trim_horizon(), std::nullopt, 1);
  CHECK_FALSE(s.failed(errc::access_denied, 0));
  CHECK_FALSE(s.failed(errc::not_found, 0));
  CHECK_FALSE(s.failed(errc::malformed, 0));
  CHECK(s.failed(errc::corrupt, 0));
  CHECK(s.failed(errc::throttled, 0));
}
