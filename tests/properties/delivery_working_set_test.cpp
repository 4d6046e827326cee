// Operators that keep a part of their state in the store lose nothing either, and have each effect once.
#include <weir/operators/dedup.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/split.hpp>

#include "properties/delivery_support.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::delivery_check;
using testing::idempotent_sink;

namespace {

// How often a key was seen, and what it says when it was silent for a while.
struct sums {
  using output = std::pair<std::string, std::string>;
  struct state {
    int n = 0;
  };
  void element(happening const& h, state& s, auto& c) {
    s.n += h.value;
    c.emit({std::to_string(h.id), std::to_string(s.n)});
    c.set_timer(c.later(6ns));
  }
  void timer(instant at, state& s, auto& c) {
    c.emit({"key " + std::to_string(c.key()) + " at " + std::to_string(at) + " with " + std::to_string(s.n), "fired"});
  }
};
int of_five(happening const& h) { return h.id % 5; }

// Each id twice, the second time some elements later.
auto twice() {
  std::vector<happening> out;
  for (happening const& h : happenings()) {
    out.push_back(h);
    if (h.id % 3 == 2) out.push_back(out[out.size() - 2]);
  }
  return out;
}
contents all_seen() {
  contents out;
  for (int id = 0; id != 20; ++id) out[std::to_string(id)] = "seen";
  return out;
}

}  // namespace

TEST_CASE("delivery: ids that are read from the store", "[properties][delivery]") {
  for (std::size_t const n : {1u, 4u}) {
    delivery_check check(played(twice()), [n](stream<happening> s, stream_context&, testing::appending_sink& out) -> task<> {
      auto unique = std::move(s) | event_time(&happening::time, bounded_disorder(60ns)) | dedup(&happening::id, 30ns).working_set(n);
      while (auto* const h = co_await unique.next()) co_await out.write(std::to_string(h->id));
    });
    std::vector<std::string> expected;
    for (int id = 0; id != 20; ++id) expected.push_back(std::to_string(id));
    check_delivers(check.expect_list(expected).run());
  }
}

TEST_CASE("delivery: keys and timers that are read from the store", "[properties][delivery]") {
  delivery_check forever(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto all = std::move(s) | in_time() | key_by(of_five) | process(sums(), never_expires()).working_set(1);
    while (auto* const x = co_await all.next()) co_await out.write(x->first, x->second);
  });
  check_delivers(forever.run());
  delivery_check expiring(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto all = std::move(s) | in_time() | key_by(of_five) | process(sums(), expire_after(9ns)).working_set(2) | prefetch(3);
    while (auto* const x = co_await all.next()) co_await out.write(x->first, x->second);
  });
  check_delivers(expiring.run());
}

TEST_CASE("delivery: ids that are read from the store behind the halves of a split", "[properties][delivery]") {
  delivery_check check(played(twice()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto halves = split(std::move(s), [](happening const& h) { return h.id % 2 == 0; });
    auto const once = [](stream<happening> half) -> stream<happening> {
      return std::move(half) | event_time(&happening::time, bounded_disorder(60ns)) | dedup(&happening::id, 30ns).working_set(1);
    };
    stream<happening> all = merge(once(std::move(halves.matching)), once(std::move(halves.rest)));
    while (auto* const h = co_await all.next()) co_await out.write(std::to_string(h->id), "seen");
  });
  check_delivers(check.expect(all_seen()).run());
}
