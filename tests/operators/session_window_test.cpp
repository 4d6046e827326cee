#include <weir/operators/session_window.hpp>

#include "operators/session_support.hpp"
#include "support/fails_with.hpp"

#include <map>

using namespace weir;
using namespace weir::test;

namespace {

// With a gap of 10; whatever comes out of order here is within the bound.
std::string sessions_of(std::string const& line) { return test::sessions_of(line, 1000ns, late::drop()); }

// Says how many of them there are.
struct counted_state {
  counted_state() { ++alive; }
  counted_state(counted_state const& o) : elements(o.elements) { ++alive; }
  counted_state& operator=(counted_state const&) = default;
  ~counted_state() { --alive; }
  std::uint64_t elements = 0;
  static inline int alive = 0;
};
struct counted {
  using state = counted_state;
  void add(state& s, event const&, instant) const { ++s.elements; }
  void merge(state& s, state const& other) const { s.elements += other.elements; }
  std::uint64_t result(state const& s) const { return s.elements; }
};
struct counted_key {
  explicit counted_key(std::string n) : name(std::move(n)) { ++alive; }
  counted_key(counted_key const& o) : name(o.name) { ++alive; }
  counted_key(counted_key&& o) noexcept : name(std::move(o.name)) { ++alive; }
  ~counted_key() { --alive; }
  friend bool operator==(counted_key const& a, counted_key const& b) { return a.name == b.name; }
  friend std::size_t hash_value(counted_key const& k) { return std::hash<std::string>()(k.name); }
  std::string name;
  static inline int alive = 0;
};

}  // namespace

namespace weir {
template <> struct codec<counted_state> {
  static void encode(counted_state const& s, std::vector<std::byte>& to) { encode_state(s.elements, to); }
  static counted_state decode(std::span<std::byte const>& from) {
    counted_state s;
    s.elements = decode_part<std::uint64_t>(from);
    return s;
  }
};
template <> struct codec<counted_key> {
  static void encode(counted_key const& k, std::vector<std::byte>& to) { encode_state(k.name, to); }
  static counted_key decode(std::span<std::byte const>& from) { return counted_key(decode_part<std::string>(from)); }
};
}  // namespace weir

//      0         10        20        30        40        50
//   a  x-----x---------)                       x---------)
//   b     x---------)                x---------)
TEST_CASE("sessions are a key's elements that follow each other by less than the gap, and end a gap behind the last") {
  CHECK(sessions_of("a0 b3 a6 b30 a40") == "b[3,13)=1 a[0,16)=2 b[30,40)=1 a[40,50)=1");
}

//      0         10       19        29
//   a  x---------)                             a silence of 10
//                x--------x---------)          a silence of 9
TEST_CASE("a silence of exactly the gap starts a new session, one that is shorter by a nanosecond does not") {
  CHECK(sessions_of("a0 a10 a19") == "a[0,10)=1 a[10,29)=2");
  CHECK(sessions_of("a19 a10 a0") == "a[0,10)=1 a[10,29)=2");
}

//            12      20     27      35
//   1st                 x---------)
//   2nd      x-------x---------)            grows to the front
//   3rd                             x---------)
//   4th      x-------x------x-------x---------)
TEST_CASE("elements that come out of order extend a session to either side") {
  CHECK(sessions_of("a20 a12") == "a[12,30)=2");
  CHECK(sessions_of("a20 a12 a35") == "a[12,30)=2 a[35,45)=1");
  CHECK(sessions_of("a20 a12 a35 a27") == "a[12,45)=4");
}

//      0         10    16        26
//   a  x---------)     x---------)
//   a          8                            comes last
//      x-------x-------x---------)
TEST_CASE("an element between two sessions makes them one; one that is a gap away from both does not") {
  CHECK(sessions_of("a0 a16 a8") == "a[0,26)=3");
  CHECK(sessions_of("a0 a20 a10") == "a[0,10)=1 a[10,20)=1 a[20,30)=1");
  CHECK(sessions_of("a0 a19 a10") == "a[0,10)=1 a[10,29)=2");
  CHECK(sessions_of("a0 a19 a9") == "a[0,19)=2 a[19,29)=1");
}

TEST_CASE("sessions of different keys have nothing to do with each other; without key_by there is one key") {
  CHECK(sessions_of("a0 b5 a14 b9") == "a[0,10)=1 b[5,19)=2 a[14,24)=1");
  CHECK(same_for_all_chunkings(events("a0 b5 a14 b9"), [](stream<event> s) {
          return in_time(std::move(s), 1000ns) | session_window(10ns, late::drop()) | aggregate(count());
        }) == "[0,24)=4");
}

//      0    5    10   15      w: 15 when b16 has come
//   a  x----x---------)
//   b                  x---------)
TEST_CASE("a session fires when the watermark reaches its end, before that watermark and with its last instant") {
  feed<event> in(events("a0 a5 b15 b16"));
  timed_stream<std::string> out = count_sessions(in.chunks(1).open(), 0ns, late::drop()) | map([](auto const& r) { return said(r); });
  CHECK(testing::run(show<std::string>(std::move(out))) == "w-1 w4 w14 a[0,15)=2@14 w15 b[15,26)=2@25 w-end");
}

//      0       8       16      24        34
//   a  x-------x-------x-------x---------)      each ends the session later, none fires it
//   b                                     x (35: w 34)
TEST_CASE("a session that goes on fires once, at the end it has by then") {
  CHECK(test::sessions_of("a0 a8 a16 a24 b35", 0ns, late::drop()) == "a[0,34)=4 b[35,45)=1");
  CHECK(test::sessions_of("a0 a8 b12 a16 b20 a24 b28 b34 a35", 0ns, late::drop()) == "a[0,34)=4 b[12,44)=4 a[35,45)=1");
}

//      0         12        22
//   a  x---------)                   seen first
//   b            x---------)
//   a            x---------)
//   a        6                       makes the two one, which was seen before b
TEST_CASE("sessions fire by their ends, and of equal ends the first seen is first") {
  CHECK(sessions_of("b12 a12") == "b[12,22)=1 a[12,22)=1");
  CHECK(sessions_of("a0 b12 a12 a6") == "a[0,22)=3 b[12,22)=1");
  CHECK(sessions_of("b12 a0 a12 a6") == "b[12,22)=1 a[0,22)=3");
  CHECK(sessions_of("a12 b12 a0 a6") == "a[0,22)=3 b[12,22)=1");
  CHECK(sessions_of("a0 b0 b5 a5 c1") == "c[1,11)=1 a[0,15)=2 b[0,15)=2");
}

TEST_CASE("a session may lie before the epoch") { CHECK(sessions_of("a-25 a-17 a-3 a4") == "a[-25,-7)=2 a[-3,14)=2"); }

TEST_CASE("there are no sessions without elements") { CHECK(sessions_of("") == ""); }

TEST_CASE("the end of the data fires all sessions, a stream that stops fires none") {
  ledger books;
  auto const run = [&books](feed<event> const& in) {
    auto out = in_time(in, 5ns) | key_by(&event::key) | session_window(10ns, late::drop()) | aggregate(count()).counted_in(books, "all");
    return in_a_line(all_of(as_said(std::move(out))));
  };
  CHECK(run(feed(events("a0 a5 b7"))) == "a[0,15)=2 b[7,17)=1");
  CHECK(text(books.sum("all")) == "in 3 = out 3");
  CHECK(run(feed(events("a0 a5 b7")).stops()) == "");
  CHECK(text(books.sum("all")) == "in 3 = open 3");
}

namespace {

task<> forget_all(int& most_keys, int& most_states) {
  std::vector<event> input;
  for (int i = 0; i != 1000; ++i) input.emplace_back(std::to_string(i), 3 * i);
  feed<event> in(std::move(input));
  auto out = in.open() | event_time(&event::time, monotonic()) | key_by([](event const& e) { return counted_key(e.key); }) |
             session_window(10ns, late::drop()) | aggregate(counted());
  for (;;) {
    auto const* const r = co_await out.next();
    if (!r) break;
    most_keys = std::max(most_keys, counted_key::alive);
    most_states = std::max(most_states, counted_state::alive);
  }
  CHECK(counted_key::alive == 0);
  CHECK(counted_state::alive == 0);
}

}  // namespace

TEST_CASE("what a session has kept is gone when it has fired, and its key with it") {
  int most_keys = 0, most_states = 0;
  testing::run(forget_all(most_keys, most_states));
  CHECK(most_keys > 0);
  CHECK(most_keys < 20);  // of 1,000: those of the last 10 ns and of the results of one chunk
  CHECK(most_states > 0);
  CHECK(most_states < 20);
}

TEST_CASE("a key may have ten thousand open sessions, in any order of arrival") {
  // Elements 20 ns apart: first every other one in an order that jumps about (the step has no factor in common with their number), and
  // then, between the sessions, elements that join each with the next.
  constexpr int n = 10'007, step = 3'571;
  std::vector<event> input;
  for (int i = 0; i != n; ++i) input.emplace_back("a", instant{20} * (static_cast<long>(i) * step % n));
  auto const count_all = [](std::vector<event> const& in) {
    return all_of(as_said(count_sessions(feed(in).chunks(256).open(), 10s, late::drop())));
  };
  std::vector<std::string> alone;
  for (instant t = 0; t != instant{20} * n; t += 20) alone.push_back("a[" + std::to_string(t) + "," + std::to_string(t + 10) + ")=1");
  CHECK(count_all(input) == alone);
  for (int i = 0; i != n - 1; ++i) {
    instant const t = instant{20} * (static_cast<long>(i) * step % (n - 1));
    input.emplace_back("a", t + 9);
    input.emplace_back("a", t + 15);
  }
  CHECK(count_all(input) == std::vector<std::string>{"a[0,200130)=30019"});
}

TEST_CASE("session_window refuses gaps that make no sense, when it is built") {
  for (auto const gap : {0ns, -1ns, ns::min(), ns::max(), ns(24h * 365 * 20) + 1ns}) {
    CAPTURE(gap.count());
    fails_with(errc::invalid_option, [gap] { (void)session_window(gap, late::drop()); }, "session_window: cannot be built", "its gap");
  }
  CHECK_NOTHROW(session_window(1ns, late::drop()));
  CHECK_NOTHROW(session_window(24h * 365 * 20, late::drop()));
}
