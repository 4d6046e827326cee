// Values in the state of operators, made those of the next version of a program wherever they are kept.
#include <weir/migration.hpp>

#include <weir/aggregate_codec.hpp>
#include <weir/detail/checkpoint_parts.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/global_window.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/trigger.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/schema_support.hpp"
#include "support/fails_with.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

// Counts elements, and keeps that in `S::n`.
struct first_version {
  std::uint16_t n = 0;
};
struct second_version {
  std::uint64_t n = 0;
  std::string note;
};
template <class S> struct counts_in {
  using state = S;
  void add(state& s, event const&, instant) const { ++s.n; }
  void merge(state& s, state const& other) const { s.n = static_cast<decltype(s.n)>(s.n + other.n); }
  int result(state const& s) const { return static_cast<int>(s.n); }
};
second_version next_version(first_version old) { return second_version{old.n, "migrated"}; }

// What the second version gives that goes on from a checkpoint of the first, between the elements of `line`.
template <class First, class Second>
std::string gone_on(std::string const& line, std::size_t at, migration const& m, First first, Second second) {
  feed<event> before(events(line));
  before.barrier_at(at);
  (void)all_of(opened(before, first));
  checkpoint c;
  c.entries = before.kept();
  c.schemas = before.barrier().state().take_schemas();
  kept_state entries = c.all();
  std::vector<std::string> ran;
  (void)detail::run_migrations({m}, entries, nullptr, ran);
  CHECK(ran.size() == 1);
  std::vector<event> rest = events(line);
  rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(at));
  feed<event> behind(std::move(rest));
  behind.restores(std::move(entries));
  return in_a_line(all_of(stream<std::string>(second(behind.open()))));
}
auto shown() {
  return map([](auto const& r) { return text(r); });
}

}  // namespace

TEST_CASE("values are migrated wherever an operator keeps them", "[operators][migration]") {
  auto const tumbling = []<class S>(S) {
    return [](stream<event> s) { return by_key(std::move(s)) | tumbling_window(10ns, late::drop()) | aggregate(counts_in<S>()) | shown(); };
  };
  auto const sliding = []<class S>(S) {
    return [](stream<event> s) {
      return by_key(std::move(s)) | sliding_window(10ns, 5ns, late::drop()) | aggregate(counts_in<S>()) | shown();
    };
  };
  auto const updated = []<class S>(S) {
    return [](stream<event> s) {
      return by_key(std::move(s)) | tumbling_window(10ns, late::update(9ns)) | aggregate(counts_in<S>()) | shown();
    };
  };
  auto const sessions = []<class S>(S) {
    return [](stream<event> s) { return by_key(std::move(s)) | session_window(5ns, late::drop()) | aggregate(counts_in<S>()) | shown(); };
  };
  auto const global = []<class S>(S) {
    return [](stream<event> s) {
      return by_key(std::move(s)) | global_window(trigger::count(9), never_expires()) | aggregate(counts_in<S>()) | shown();
    };
  };
  auto const processing = []<class S>(S) {
    return [](stream<event> s) {
      return by_key(std::move(s)) |
             process<S, int>([](event const&, S& kept, auto& c) { c.emit(static_cast<int>(++kept.n)); }, never_expires()) | shown();
    };
  };
  auto const scanning = []<class S>(S) {
    return [](stream<event> s) {
      return std::move(s) | scan(S(), [](S& kept, event const&) { ++kept.n; }) | map([](S const& kept) { return std::to_string(kept.n); });
    };
  };
  auto const both = [](auto make, std::string const& id, auto... key) {
    migration const m = [&] {
      if constexpr (sizeof...(key) == 0) return migrate_rows<first_version, second_version>(id, next_version);
      else return migrate_rows<first_version, second_version, decltype(key)...>(id, next_version);
    }();
    return gone_on("a1 b2 a3 a4 b5", 3, m, make(first_version()), make(second_version()));
  };
  CHECK(both(tumbling, "window") == "a[0,10)=3 b[0,10)=2");
  CHECK(both(sliding, "window") == "a[-5,5)=3 b[-5,5)=1 a[0,10)=3 b[0,10)=2 b[5,15)=1");
  CHECK(both(updated, "window") == "a[0,10)=3 b[0,10)=2");
  CHECK(both(sessions, "window", std::string()) == "a[1,9)=3 b[2,10)=2");
  CHECK(both(global, "window") == "a[1,end)=3 b[2,end)=2");
  CHECK(both(processing, "process") == "3 2");
  CHECK(both(scanning, "scan") == "4 5");
  fails_with(errc::misuse, [&] { both(sessions, "window"); }, "behind the key", "migrate_rows<Old, New, Key>");
}

TEST_CASE("ids of dedup are migrated one by one", "[operators][migration]") {
  auto const by = [](auto id) { return [id](stream<event> s) { return in_time(std::move(s), 5ns) | dedup(id, 1h) | shown(); }; };
  auto const m = migrate_rows<int, std::string>("dedup", [](int id) { return "id " + std::to_string(id); });
  auto const as_text = [](event const& e) { return "id " + std::to_string(e.value); };
  CHECK(gone_on("a1=5 b2=6 a3=7 b4=6 a5=8 b6=5", 3, m, by(&event::value), by(as_text)) == "a5");
}
