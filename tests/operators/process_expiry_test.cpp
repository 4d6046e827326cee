// When the keys of `process` go.
#include <weir/operators/inspect.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>

#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

using context_of_texts = process_context<std::string, std::string>;

// Counts each key's elements, and tells of the count when a timer `value` ns after one goes off.
struct counter {
  using output = std::string;
  using state = int;
  void element(event const& e, int& n, context_of_texts& c) {
    c.emit(c.key() + std::to_string(++n));
    if (e.value > 1) c.set_timer(c.later(ns(e.value)));
  }
  void timer(instant at, int& n, context_of_texts& c) { c.emit("(" + c.key() + std::to_string(n) + " at " + std::to_string(at) + ")"); }
};

template <class Expiry> auto counted(Expiry expiry, std::shared_ptr<key_counts> keys = nullptr) {
  return
      [=](stream<event> s) { return in_time(std::move(s), 0ns) | key_by(&event::key) | process(counter(), expiry).keys_counted_in(keys); };
}
std::string told(std::string const& line, ns kept) { return same_for_all_chunkings(events(line), counted(expire_after(kept))); }
// What the books say before the data ends.
key_counts kept(std::string const& line, ns span) {
  auto keys = std::make_shared<key_counts>();
  all_of<std::string>(counted(expire_after(span), keys)(feed(events(line)).stops().open()));
  return *keys;
}

}  // namespace

// Kept for 10: a, touched at 3, goes when the watermark is at 13; it is one behind the highest time.
//      0         10        20
//      |a  a     |   x a   |
TEST_CASE("a key expires when the watermark reaches its latest touch plus the time it is kept") {
  CHECK(told("a0 a3 x13 a14", 10ns) == "a1 a2 x1 a3");
  CHECK(told("a0 a3 x14 a15", 10ns) == "a1 a2 x1 a1");
}

TEST_CASE("an element out of order does not shorten its key's life") { CHECK(told("a9 a3 x14 a15", 10ns) == "a1 a2 x1 a3"); }

// The watermark is at 12 when a40 comes: an element of 13 may still follow, and finds the state as it was.
TEST_CASE("an element ahead of the watermark finds the state of a key that has not expired yet") {
  CHECK(told("a0 x13 a40 x41 a42", 13ns) == "a1 x1 a2 x1 a3");
}

TEST_CASE("a key that is touched again and again is kept") { CHECK(told("a0 x8 a9 x17 a18 x27 a28", 10ns) == "a1 x1 a2 x2 a3 x3 a4"); }

TEST_CASE("an element that is too late to live leaves nothing behind") {
  CHECK(told("x30 a3 a4 a25", 10ns) == "x1 a1 a1 a1");
  CHECK(kept("x30 a3 a4", 10ns) == key_counts{1, 2, 0, 0, 2});
}

// With 10 to live, a timer 4 behind an element keeps its key until 14 behind it.
TEST_CASE("a timer that fires touches its key") {
  CHECK(told("a0=4 x13 a14", 10ns) == "a1 x1 (a1 at 4) a2");
  CHECK(told("a0=4 x15 a16", 10ns) == "a1 x1 (a1 at 4) a1");
}

TEST_CASE("a timer at the time of the expiry fires and keeps the key; one behind it goes with the key, and is counted") {
  CHECK(told("a0=10 x12 a13", 10ns) == "a1 x1 (a1 at 10) a2");
  CHECK(told("a0=11 x12 a13 y40", 10ns) == "a1 x1 a1 y1");
  CHECK(kept("a0=11 a0=12 x12", 10ns) == key_counts{1, 1, 0, 2, 0});
}

TEST_CASE("timers and expiries come in the order of time, however far the watermark steps") {
  CHECK(told("a0=4 b1=11 c1=10 x100 a101 b102 c103", 10ns) == "a1 b1 c1 x1 (a1 at 4) (c1 at 11) a1 b1 c1");
  CHECK(told("a0=4 b1=11 c1=10 x3 x5 x11 x12 x13 x15 x22 x100 a101 b102 c103", 10ns) ==
        "a1 b1 c1 x1 x2 (a1 at 4) x3 x4 (c1 at 11) x5 x6 x7 x8 a1 b1 c1");
}

TEST_CASE("the state of a key that has expired is gone") {
  std::vector<event> input;
  for (int i = 0; i < 1000; ++i) input.emplace_back("key " + std::to_string(i), i);
  auto keys = std::make_shared<key_counts>();
  std::uint64_t most = 0;
  auto out = counted(expire_after(10ns), keys)(feed(input).stops().open()) |
             inspect([&](std::string const&) { most = std::max(most, keys->open); });
  all_of<std::string>(std::move(out));
  CHECK(most == 12);  // of 10, that of the last one, and one that goes with the watermark behind it
  CHECK(*keys == key_counts{11, 989, 0, 0, 0});
}

TEST_CASE("keys that never expire stay, with their timers") {
  auto keys = std::make_shared<key_counts>();
  auto out = counted(never_expires(), keys)(feed(events("a0=5000 b1 x4000")).stops().open());
  CHECK(in_a_line(all_of<std::string>(std::move(out))) == "a1 b1 x1");
  CHECK(*keys == key_counts{3, 0, 0, 0, 0});
}

TEST_CASE("a key that its function forgets is gone when it returns, with its timers, and comes back as another") {
  struct once {
    using output = std::string;
    using state = int;
    void element(event const& e, int& n, context_of_texts& c) {
      c.emit(c.key() + std::to_string(++n));
      c.set_timer(20);
      if (e.value == 2) c.forget();
    }
    void timer(instant, int& n, context_of_texts& c) {
      c.emit("(" + c.key() + std::to_string(n) + ")");
      c.forget();
    }
  };
  auto keys = std::make_shared<key_counts>();
  auto out = in_time(feed(events("a0 b1 a2=2 a3 x30 a31")).stops().open(), 0ns) | key_by(&event::key) |
             process(once(), never_expires()).keys_counted_in(keys);
  CHECK(in_a_line(all_of<std::string>(std::move(out))) == "a1 b1 a2 a1 x1 (b1) (a1) (x1) a1 (a1)");
  CHECK(*keys == key_counts{0, 0, 5, 1, 0});
}

TEST_CASE("the books of the keys are part of the checkpoint") {
  feed<event> in(events("a0=20 b1 x20 c21"));
  in.barrier_at(3);
  auto const got = testing::run(run_to(stream<std::string>(counted(expire_after(10ns))(in.open())), in.barrier()));
  feed<event> rest(events("c21"));
  rest.restores(*got.state).stops();
  auto keys = std::make_shared<key_counts>(key_counts{7, 7, 7, 7, 7});
  all_of<std::string>(counted(expire_after(10ns), keys)(rest.open()));
  CHECK(*keys == key_counts{2, 2, 0, 1, 0});
}

TEST_CASE("expire_after refuses spans that are none, and those beyond 20 years") {
  fails_with(errc::invalid_option, [] { expire_after(0ns); });
  fails_with(errc::invalid_option, [] { expire_after(-1ns); });
  fails_with(errc::invalid_option, [] { expire_after(24h * 365 * 21); });
}
