#include <weir/kinesis/shard_reading.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/sequence_number.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::read_step;
using kinesis::record_batch;
using kinesis::shard_reading;
using kinesis::starting_position;
using milliseconds = std::chrono::milliseconds;

namespace {

constexpr instant begin = 1'700'000'000'000'000'000;

// A reading, and the time it is driven by.
class driven {
public:
  explicit driven(starting_position start = starting_position::trim_horizon(), std::optional<position> after = {}, std::uint32_t seed = 1)
      : reading_(kinesis::polling(), std::move(start), after, std::make_shared<kinesis::shard_allowance>(kinesis::read_rate()), seed) {}

  // The next thing to do, when it is time; how long that took.
  read_step next() {
    pause = {};
    for (;;) {
      read_step const step = reading_.next(now);
      if (step.what() != read_step::kind::wait) return step;
      REQUIRE(step.until() > now);  // or it would spin
      pause += std::chrono::nanoseconds(step.until() - now);
      now = step.until();
    }
  }
  starting_position asks_for_iterator(std::chrono::nanoseconds ahead = {}) {
    read_step const step = next();
    REQUIRE(step.what() == read_step::kind::get_iterator);
    reading_.got_iterator("i" + std::to_string(++iterators), ahead);
    return step.from();
  }
  // Gets records by the iterator that is known; says which.
  std::string reads(record_batch const& batch) {
    REQUIRE(next().what() == read_step::kind::get_records);
    std::string by = reading_.iterator();
    reading_.got_records(batch, now);
    return by;
  }
  bool fails(std::error_code const& why) {
    next();
    return reading_.failed(why, now);
  }
  void goes_on() { reading_.not_ended(now); }
  bool idle() const { return reading_.idle(); }
  bool ended() { return next().what() == read_step::kind::end; }

  instant now = begin;
  std::chrono::nanoseconds pause{};
  int iterators = 0;

private:
  shard_reading reading_;
};

record_batch reply(std::size_t records, std::uint64_t first = 1, std::optional<milliseconds> behind = 0ms, std::string next = "n") {
  record_batch out;
  for (std::size_t i = 0; i != records; ++i) {
    kinesis::record_view r;
    r.partition_key = "k";
    r.position = *kinesis::position_of(std::to_string(first + i));
    out.records.push_back(r);
  }
  out.behind = behind;
  out.next_iterator = std::move(next);
  return out;
}
record_batch empty(std::optional<milliseconds> behind = 0ms, std::string next = "n") { return reply(0, 1, behind, std::move(next)); }

position at(char const* number, std::uint64_t sub = 0) { return *kinesis::position_of(number, sub); }
std::error_code const expired = kinesis::errc::expired_iterator;
std::error_code const throttled = weir::errc::throttled;
std::error_code const unavailable = weir::errc::unavailable;

}  // namespace

TEST_CASE("reading goes from iterator to iterator", "[kinesis][reading]") {
  driven d;
  CHECK(d.asks_for_iterator() == starting_position::trim_horizon());
  CHECK(d.reads(reply(3, 1, 5ms, "x")) == "i1");
  CHECK(d.reads(reply(3, 4, 5ms, "y")) == "x");
  CHECK(d.reads(reply(3, 7, 0ms, "z")) == "y");
  CHECK(d.reads(empty()) == "z");
}

TEST_CASE("it begins where it is told to", "[kinesis][reading]") {
  CHECK(driven(starting_position::latest()).asks_for_iterator() == starting_position::latest());
  CHECK(driven(starting_position::at(begin)).asks_for_iterator() == starting_position::at(begin));
}

TEST_CASE("it resumes with the record at its position, in which there may be more", "[kinesis][reading]") {
  CHECK(driven(starting_position::latest(), at("4711", 2)).asks_for_iterator() == starting_position::at(std::string("4711")));
}

TEST_CASE("a backlog is read five times a second, and not faster", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  for (std::uint64_t i = 0; i != 20; ++i) {
    d.reads(reply(3, 1 + 3 * i, 1000ms));
    CHECK(d.pause == (i == 0 ? 0ms : 200ms));
  }
}

TEST_CASE("a full reply has more behind it, whatever the service says of the lag", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  for (std::uint64_t i = 0; i != 5; ++i) {
    d.reads(reply(10'000, 1 + 10'000 * i, 0ms));
    CHECK(d.pause <= 200ms);
  }
  d.reads(reply(9'999, 1, std::nullopt));
  d.reads(empty());
  CHECK(d.pause > 400ms);
}

TEST_CASE("a reply of ten mebibytes is followed by five seconds without one", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  std::string const large(std::size_t{10} * 1024 * 1024, 'x');
  record_batch batch = reply(1, 1, 1000ms);
  batch.records.front().data = large;
  d.reads(batch);
  d.reads(reply(1, 2, 1000ms));
  CHECK(d.pause >= 5s);
  CHECK(d.pause < 5001ms);
}

TEST_CASE("at the tip it waits, and when nothing comes longer and longer", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  d.reads(reply(3));
  CHECK_FALSE(d.idle());
  auto const reads_after = [&](milliseconds longest, record_batch const& batch) {
    d.reads(batch);
    CHECK(d.pause <= longest);
    CHECK(d.pause >= longest * 7 / 8);
  };
  reads_after(500ms, empty());
  CHECK(d.idle());
  reads_after(1000ms, empty());
  d.reads(empty());
  CHECK(d.pause <= 2000ms);  // anywhere
  reads_after(2000ms, empty(std::nullopt));
  reads_after(2000ms, reply(1));
  CHECK_FALSE(d.idle());
  reads_after(500ms, reply(1));
}

TEST_CASE("shards that began together do not read together for long", "[kinesis][reading]") {
  driven one(starting_position::latest(), {}, 1), other(starting_position::latest(), {}, 2);
  for (driven* const d : {&one, &other}) {
    d->asks_for_iterator();
    for (int i = 0; i != 5; ++i) d->reads(empty());
  }
  CHECK(one.now != other.now);
}

TEST_CASE("idle shards are read on a beat, many at the same moment and not all", "[kinesis][reading]") {
  std::set<instant> moments;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    driven d(starting_position::latest(), {}, seed);
    d.asks_for_iterator();
    for (int i = 0; i != 6; ++i) d.reads(empty());
    CHECK(d.now % 50'000'000 == 0);
    moments.insert(d.now);
  }
  // 125 + 2,000 + 3 * 250 ms of the pauses before are by chance.
  CHECK(moments.size() <= 58);
  CHECK(moments.size() >= 29);
}

TEST_CASE("an empty reply with a lag is not the tip: reading goes on", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  for (unsigned i = 0; i != shard_reading::most_hollow; ++i) {
    d.reads(empty(60'000ms));
    CHECK(d.pause <= 200ms);
    CHECK_FALSE(d.idle());
  }
  d.reads(reply(1, 1, 60'000ms));
  CHECK(d.pause <= 200ms);
}

TEST_CASE("an idle shard that always speaks of a lag is not polled without end", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  for (unsigned i = 0; i != shard_reading::most_hollow; ++i) d.reads(empty(60'000ms));
  d.reads(empty(60'000ms));
  CHECK(d.idle());
  for (int i = 0; i != 3; ++i) d.reads(empty(60'000ms));
  CHECK(d.pause > 1700ms);
}

TEST_CASE("a lag that falls is progress, however many replies are empty", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  for (unsigned i = 0; i != 4 * shard_reading::most_hollow; ++i) {
    d.reads(empty(milliseconds(3'600'000 - 1'000 * i)));
    CHECK(d.pause <= 200ms);
    CHECK_FALSE(d.idle());
  }
  for (unsigned i = 0; i != shard_reading::most_hollow; ++i) d.reads(empty(i % 2 == 0 ? 3'600'000ms : 3'599'000ms));  // up and down is none
  CHECK(d.idle());
}

TEST_CASE("records come before the end, and no lag is needed for it", "[kinesis][reading]") {
  for (std::optional<milliseconds> const behind : {std::optional(0ms), std::optional(60'000ms), std::optional<milliseconds>()}) {
    driven d;
    d.asks_for_iterator();
    CHECK_FALSE(d.ended());
    d.reads(reply(3, 1, behind, ""));
    CHECK(d.ended());
    CHECK(d.ended());
  }
}

TEST_CASE("a closed shard ends with the reply that has no iterator, with or without children, empty or not", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  d.reads(reply(3, 1, 0ms, "one more"));  // kinesalite: the first reply at the end has one
  record_batch last = empty(0ms, "");
  last.children.emplace_back();
  d.reads(last);
  CHECK(d.ended());
}

TEST_CASE("a shard that is open although a reply said otherwise is read on behind the last record, after a pause", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  d.reads(reply(3, 1, 0ms, ""));
  CHECK(d.ended());
  d.goes_on();
  CHECK(d.asks_for_iterator() == starting_position::after("3"));
  CHECK(d.pause == 2s);
  CHECK(d.reads(reply(1, 4)) == "i2");
}

TEST_CASE("an expired iterator restarts after the last record that came, and no record comes twice", "[kinesis][reading]") {
  driven d(starting_position::latest(), at("17", 3));
  d.asks_for_iterator();
  d.reads(reply(3, 20));
  CHECK(d.fails(expired));
  CHECK(d.asks_for_iterator() == starting_position::after("22"));
  CHECK(d.pause == 0ms);
  CHECK(d.reads(reply(1, 23)) == "i2");
}

TEST_CASE("an iterator that expires before any record has come begins anew without leaving anything out", "[kinesis][reading]") {
  driven oldest;
  oldest.asks_for_iterator();
  CHECK(oldest.fails(expired));
  CHECK(oldest.asks_for_iterator() == starting_position::trim_horizon());

  driven resumed(starting_position::trim_horizon(), at("17", 3));
  resumed.asks_for_iterator();
  CHECK(resumed.fails(expired));
  CHECK(resumed.asks_for_iterator() == starting_position::at(std::string("17")));

  driven tip(starting_position::latest());
  tip.now += 7;
  tip.asks_for_iterator();
  tip.reads(empty());
  tip.now += 600'000'000'000;
  CHECK(tip.fails(expired));
  CHECK(tip.asks_for_iterator() == starting_position::at(begin + 7));  // what came in these ten minutes

  driven early(starting_position::latest());  // by a clock that is a minute ahead of the service's
  early.asks_for_iterator(-60s);
  early.now += 600'000'000'000;
  CHECK(early.fails(expired));
  CHECK(early.asks_for_iterator() == starting_position::at(begin - 60'000'000'000));
}

TEST_CASE("iterators that expire at once are not asked for without a pause", "[kinesis][reading]") {
  driven d;
  for (int i = 0; i != 50; ++i) {
    d.asks_for_iterator();
    CHECK(d.fails(expired));
  }
  CHECK(d.now - begin > 60'000'000'000);
}

TEST_CASE("throttled, it waits longer each time, keeps its iterator, and never gives up", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  d.reads(reply(1, 1, 1000ms, "same"));
  std::chrono::nanoseconds longest{};
  for (int i = 0; i != 4; ++i) {
    CHECK(d.fails(throttled));
    longest = std::max(longest, d.pause);
    CHECK(d.next().what() == read_step::kind::get_records);
    CHECK(d.pause <= 10s + 200ms);
  }
  CHECK(d.reads(reply(1, 2)) == "same");
  for (int i = 0; i != 1000; ++i) {
    if (d.next().what() == read_step::kind::get_iterator) d.asks_for_iterator();
    CHECK(d.fails(throttled));
  }
  CHECK(d.now - begin > 1'000'000'000'000);  // jittered around five seconds each
}

TEST_CASE("an iterator by which reading fails again and again is replaced by another one", "[kinesis][reading]") {
  driven d;  // kinesis-mock answers to a bad iterator with status 500 and no body
  d.asks_for_iterator();
  d.reads(reply(1, 7));
  for (int i = 0; i != 5; ++i) CHECK(d.fails(unavailable));
  CHECK(d.asks_for_iterator() == starting_position::after("7"));
}

TEST_CASE("a start at the tip of which nothing came keeps an iterator that may be good", "[kinesis][reading]") {
  driven d(starting_position::latest());  // by our clock, which may be wrong, the tip would be another one
  d.asks_for_iterator();
  d.reads(empty());
  while (d.now < begin + 590'000'000'000) {
    REQUIRE(d.next().what() == read_step::kind::get_records);
    CHECK(d.fails(unavailable));
  }
  for (int i = 0; i != 10 && d.next().what() == read_step::kind::get_records; ++i) CHECK(d.fails(unavailable));
  CHECK(d.asks_for_iterator() == starting_position::at(begin));  // it has expired, even if the service does not say so
}

TEST_CASE("success makes failures before it forgotten", "[kinesis][reading]") {
  driven d;
  d.asks_for_iterator();
  for (std::uint64_t i = 0; i != 20; ++i) {
    for (int j = 0; j != 3; ++j) CHECK(d.fails(unavailable));
    CHECK(d.reads(reply(1, 1 + i, 1000ms)).size() != 0);
  }
  CHECK(d.iterators == 1);
}

TEST_CASE("what will not pass is somebody else's to deal with", "[kinesis][reading]") {
  driven d;
  CHECK_FALSE(d.fails(weir::errc::access_denied));
  CHECK_FALSE(d.fails(weir::errc::not_found));
  CHECK_FALSE(d.fails(kinesis::errc::invalid_argument));
  CHECK_FALSE(d.fails(weir::errc::cancelled));
}

TEST_CASE("the iterator itself may be refused for a while", "[kinesis][reading]") {
  driven d(starting_position::latest());
  CHECK(d.fails(throttled));
  CHECK(d.fails(unavailable));
  CHECK(d.asks_for_iterator() == starting_position::latest());
}
