#include <weir/operators/key_by.hpp>
#include <weir/operators/reduce.hpp>
#include <weir/operators/retraction.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"

#include <functional>

using namespace weir;
using namespace weir::test;

namespace {

// An event that can be kept in a checkpoint as it is.
struct sample {
  explicit sample(event const& e) : key(e.key.front()), time(e.time), value(e.value) {}
  char key;
  instant time;
  int value;
};
// Of two the one with the greater value, of equal ones the one that came first.
sample const& greater(sample const& a, sample const& b) { return a.value < b.value ? b : a; }

auto samples(stream<event> s, ns bound) {
  return std::move(s) | map([](event const& e) { return sample(e); }) | event_time(&sample::time, bounded_disorder(bound)) |
         key_by([](sample const& x) { return std::string(1, x.key); });
}
std::string value_text(sample const& x) { return x.key + std::to_string(x.time); }
std::string value_text(int x) { return std::to_string(x); }
template <class Chain> stream<std::string> shown(Chain chain) {
  return std::move(chain) | map([](auto const& r) {
           std::string out = text(r.key) + text(r.window) + "=";
           if (is_retraction(r)) out = "-" + out;
           return out + (r.value ? value_text(*r.value) : "nothing");
         });
}
template <class Window> std::string greatest(std::string const& line, ns bound, Window window) {
  return same_for_all_chunkings(events(line), [&](stream<event> s) {
    auto of_keys = samples(std::move(s), bound) | Window(window);
    return shown(std::move(of_keys) | reduce(greater));
  });
}
auto sums(stream<int> s) {
  return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | tumbling_window(1s, late::drop(), emit::on_each()) |
         reduce(std::plus<>());
}

}  // namespace

//      0         10        20
//   a  1=5  7=9  |13=2     |           the greatest of each window, as it came
//   b    2=3     |         |
TEST_CASE("reduce combines the elements of each key and tumbling window into one of them") {
  CHECK(greatest("a1=5 b2=3 a7=9 a13=2", 0ns, tumbling_window(10ns, late::drop())) == "a[0,10)=a7 b[0,10)=b2 a[10,20)=a13");
  CHECK(greatest("", 0ns, tumbling_window(10ns, late::drop())) == "");
}

TEST_CASE("reduce of a window with one element is that element, and of equal ones what the function says") {
  CHECK(greatest("a1 a2 a3", 0ns, tumbling_window(10ns, late::drop())) == "a[0,10)=a1");
}

//      0    5    10   15   20
//      1=5  7=9  |13=2             windows [-5,5) [0,10) [5,15) [10,20)
TEST_CASE("reduce combines the slices of sliding windows") {
  CHECK(greatest("a1=5 a7=9 a13=2", 0ns, sliding_window(10ns, 5ns, late::drop())) == "a[-5,5)=a1 a[0,10)=a7 a[5,15)=a7 a[10,20)=a13");
}

//      0         10    16        26
//   a  x---------)     x---------)
//   a          8                         joins them
TEST_CASE("reduce combines sessions that become one") {
  CHECK(greatest("a0=1 a16=7 a8=3", 100ns, session_window(10ns, late::drop())) == "a[0,26)=a16");
  CHECK(greatest("a0=1 a16=7 a8=3", 100ns, session_window(10ns, late::drop(), emit::on_each())) ==
        "a[0,10)=a0 a[16,26)=a16 -a[0,10)=nothing -a[16,26)=nothing a[0,26)=a16 a[0,26)=a16");
}

TEST_CASE("reduce's results are named and counted like those of aggregate") {
  ledger books;
  auto out = samples(feed(events("a1 a2 b3")).open(), 0ns) | tumbling_window(10ns, late::drop()) |
             reduce(greater).named("greatest").counted_in(books, "all");
  (void)all_of(shown(std::move(out)));
  CHECK(text(books.sum("all")) == "in 3 = out 3");
}

TEST_CASE("reduce passes an upstream failure on after the windows that had fired") {
  check_upstream_failure<std::string>({1, 2, 30}, {"[0,10)=3"}, [](stream<int> s) {
    return shown(std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | tumbling_window(10ns, late::drop()) |
                 reduce(std::plus<>()));
  });
}

TEST_CASE("reduce's failing function ends the stream, and the element it failed for is not done") {
  check_user_failure<std::string>({"[0,10)=1", "[0,10)=3"}, [](stream<int> s) {
    return shown(std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) |
                 tumbling_window(10ns, late::drop(), emit::on_each()) | reduce([](int a, int b) { return a + no_three(b); }));
  });
}

TEST_CASE("reduce that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | tumbling_window(1s, late::drop()) |
           reduce([hook](int a, int b) {
             hook(b);
             return a + b;
           });
  });
}

namespace {

// A tracked value of this test alone.
struct held : tracked {
  explicit held(tracked const& x) : tracked(x) {}
};

}  // namespace

namespace weir {
template <> struct codec<held> {
  static void encode(held const& x, std::vector<std::byte>& to) { encode_state(x.value(), to); }
  static held decode(std::span<std::byte const>& from) { return held(tracked(decode_part<int>(from))); }
};
}  // namespace weir

TEST_CASE("reduce dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) {
    return std::move(s) | map([](tracked const& x) { return held(x); }) |
           event_time([](held const& x) { return instant{x.value()}; }, monotonic()) |
           tumbling_window(10ns, late::drop(), emit::on_each()) | reduce([](held const&, held const& b) { return b; });
  });
}

TEST_CASE("reduce does not run ahead of its consumer") {
  check_does_not_run_ahead(sums, [](std::size_t n) { return n; });
}

TEST_CASE("reduce goes on from what it had after a restart, in every kind of window") {
  auto const input = events("a0=4 b3=1 a8=2 a25=9 b13=3 a16=7 b40 a33=2 a41=5 b21=8 a90=1 b35=2 a52=6");
  auto const check = [&input](auto window) {
    check_restored_equals_uninterrupted(input, [&window](stream<event> s) -> stream<std::string> {
      auto of_keys = samples(std::move(s), 5ns) | std::decay_t<decltype(window)>(window);
      return shown(std::move(of_keys) | reduce(greater));
    });
  };
  check(tumbling_window(10ns, late::drop()));
  check(sliding_window(20ns, 5ns, late::drop()));
  check(session_window(10ns, late::update(10ns), emit::on_each()));
}
