// What operators say of the layout of their state, and that state of another layout is refused before it is read.
#include <weir/schema_id.hpp>

#include <weir/codec.hpp>
#include <weir/operators/accumulators.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/global_window.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/skip.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/take.hpp>
#include <weir/operators/trigger.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>

#include "operators/join_support.hpp"
#include "operators/schema_support.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

// A checkpoint between the elements of a chain that `make` builds.
template <class T> std::vector<T> input() {
  if constexpr (std::is_same_v<T, event>) return events("a1 b2 a3 b14");
  else return sides("<a1 >a3 <b5 >b14");
}

template <class T, class Make> checkpoint taken(Make make) {
  feed<T> in(input<T>());
  in.chunks(3).barrier_at(3);
  (void)all_of(opened(in, make));
  checkpoint out;
  out.entries = in.kept();
  out.schemas = in.barrier().state().take_schemas();
  return out;
}
template <class T, class Make> seen<int> goes_on(kept_state from, Make make) {
  feed<T> in(input<T>());
  in.restores(std::move(from));
  return testing::run(drain(opened(in, make)));
}

// `make` says `schema`, goes on from its own checkpoint, with and without schemas, and is refused that of `other`.
template <class T, class Make, class Other> void check_schema(std::string const& id, std::string const& schema, Make make, Other other) {
  CAPTURE(id, schema);
  checkpoint const own = taken<T>(make), of_other = taken<T>(other);
  CHECK(own.schema_of(id) == schema);
  CHECK(goes_on<T>(own.all(), make).failure == "");
  CHECK(goes_on<T>(own.entries, make).failure == "");
  auto const refused = goes_on<T>(of_other.all(), make);
  INFO(refused.failure);
  CHECK(refused.code == errc::incompatible);
  for (std::string const& part : {"\"" + id + "\" was kept as `" + of_other.schema_of(id) + "`", "keeps it as `" + schema + "`"})
    CHECK(refused.failure.find(part) != std::string::npos);
}
template <class T, class Make, class Other> void check_compatible(Make make, Other other) {
  CHECK(goes_on<T>(taken<T>(other).all(), make).failure == "");
}

auto by_value(stream<event> s) { return in_time(std::move(s), 5ns) | key_by(&event::value); }
template <class Fold> auto in_windows(Fold fold) {
  return [fold](stream<event> s) { return by_key(std::move(s)) | tumbling_window(10ns, late::drop()) | aggregate(Fold(fold)); };
}
template <class A> auto adds(A) {
  return [](A& sum, event const& e) { sum += static_cast<A>(e.value); };
}
struct counted {
  std::uint32_t times = 0;
};
struct counted_longer {
  std::uint64_t times = 0;
  std::string last;
};
template <class S> auto processed() {
  return
      [](stream<event> s) { return by_key(std::move(s)) | process<S, int>([](event const&, S& n, auto&) { ++n.times; }, never_expires()); };
}

}  // namespace

TEST_CASE("scan and process refuse another state, and another key", "[operators][schema]") {
  auto const scans = [](auto init) { return [init](stream<event> s) { return std::move(s) | scan(init, adds(init)); }; };
  check_schema<event>("scan", "scan; value i32", scans(0), scans(std::int64_t(0)));
  auto const scans_keys = [](auto init) {
    return [init](stream<event> s) { return by_key(std::move(s)) | scan(init, adds(init), never_expires()); };
  };
  auto const scans_values = [](stream<event> s) { return by_value(std::move(s)) | scan(0, adds(0), never_expires()); };
  check_schema<event>("scan", "scan; key string; value i32 at 8", scans_keys(0), scans_keys(0.5));
  check_schema<event>("scan", "scan; key i32; value i32 at 8", scans_values, scans_keys(0));
  check_schema<event>("scan", "scan; key string; value i32 at 8", scans_keys(0), scans(0));
  check_schema<event>("process", "process; key string; value 4 bytes of {u32} at 8", processed<counted>(), processed<counted_longer>());
}

TEST_CASE("how long keys are kept may change", "[operators][schema]") {
  auto const kept_for = [](ns time) {
    return [time](stream<event> s) { return by_key(std::move(s)) | scan(0, adds(0), expire_after(time)); };
  };
  check_compatible<event>(kept_for(100ns), kept_for(200ns));
}

TEST_CASE("windows in time refuse another key, accumulator, or place", "[operators][schema]") {
  auto const counts = in_windows(count());
  auto const every = [](ns size, ns slide) {
    return [=](stream<event> s) { return by_key(std::move(s)) | sliding_window(size, slide, late::drop()) | aggregate(count()); };
  };
  auto const of_values = [](stream<event> s) { return by_value(std::move(s)) | tumbling_window(10ns, late::drop()) | aggregate(count()); };
  auto const of_all = [](stream<event> s) { return in_time(std::move(s), 5ns) | tumbling_window(10ns, late::drop()) | aggregate(count()); };
  auto const updated = [](stream<event> s) { return by_key(std::move(s)) | tumbling_window(10ns, late::update(5ns)) | aggregate(count()); };
  std::string const schema = "window, 10 ns; one result; key string; value count at 8";
  check_schema<event>("window", schema, counts, of_values);
  check_schema<event>("window", schema, counts, of_all);
  check_schema<event>("window", schema, counts, every(10ns, 5ns));
  check_schema<event>("window", schema, counts, every(60s, 60s));
  check_schema<event>("window", schema, counts, updated);
  check_schema<event>("window", schema, counts, in_windows(sum(&event::value)));
  check_schema<event>("window", "window, 1 min; slices; key string; value count at 8", every(1min, 1min), counts);
  check_schema<event>("window", "window, 10 ns every 5 ns; slices; key string; value count at 8", every(10ns, 5ns), counts);
  check_schema<event>("window", "window, 10 ns; one result; key {}; value count at 8", of_all, counts);
}

TEST_CASE("accumulators say what they keep, so that one is not taken for another", "[operators][schema]") {
  auto const says = [](auto fold) { return taken<event>(in_windows(fold)).schema_of("window").substr(39); };
  CHECK(says(count()) == "value count at 8");
  CHECK(says(sum(&event::value)) == "value sum<i64> at 8");
  CHECK(says(minimum(&event::key)) == "value minimum<string> at 8");
  CHECK(says(maximum(&event::key)) == "value maximum<string> at 8");
  CHECK(says(mean(&event::value)) == "value mean at 8");
  CHECK(says(variance(&event::value)) == "value variance at 8");
  CHECK(says(collect(&event::value)) == "value collect<i32> at 8");
  CHECK(says(distinct(&event::key)) == "value distinct<14> at 8");
  CHECK(says(distinct(&event::key, {.precision = 10})) == "value distinct<10> at 8");
  CHECK(says(quantile(&event::value)) == "value quantile<0.01, 2048> at 8");
  CHECK(says(top_n(3, &event::key)) == "value top_n<string, u64> at 8");
  CHECK(says(ohlcv(&event::value, &event::value)) == "value ohlcv<i32, i64> at 8");
  CHECK(says(ohlcv(&event::value, &event::value, &event::key)) == "value ohlcv<i32, i64, string> at 8");
  CHECK(says(combined(count(), mean(&event::value))) == "value combined<count, mean> at 8");
  CHECK(says(keeps()) == "value weir::test::keeps::state at 8");
  check_schema<event>("window", "window, 10 ns; one result; key string; value minimum<string> at 8", in_windows(minimum(&event::key)),
                      in_windows(maximum(&event::key)));
}

TEST_CASE("how many of a ranking are shown may change", "[operators][schema]") {
  check_compatible<event>(in_windows(top_n(5, &event::key)), in_windows(top_n(3, &event::key)));
}

TEST_CASE("sessions and windows over all time refuse what means something else", "[operators][schema]") {
  auto const sessions = [](ns gap, auto fold) {
    return [=](stream<event> s) { return by_key(std::move(s)) | session_window(gap, late::drop()) | aggregate(decltype(fold)(fold)); };
  };
  std::string const schema = "session_window, 5 ns; one result; key string; value count at 32 behind the key";
  check_schema<event>("window", schema, sessions(5ns, count()), sessions(6ns, count()));
  check_schema<event>("window", schema, sessions(5ns, count()), sessions(5ns, sum(&event::value)));
  check_schema<event>("window", schema, sessions(5ns, count()), in_windows(count()));
  auto const global = [](auto trigger, ns kept) {
    return [=](stream<event> s) {
      return by_key(std::move(s)) | global_window(trigger, expire_after(kept), late::drop()) | aggregate(count());
    };
  };
  check_schema<event>("window", "global_window, accumulating; key string; value count at 44", global(trigger::count(2), 1h),
                      global(trigger::count(2).discarding(), 1h));
  check_compatible<event>(global(trigger::count(3), 1h), global(trigger::every(1s), 2h));
}

TEST_CASE("dedup refuses other ids, and another horizon", "[operators][schema]") {
  auto const by = [](auto id, ns horizon) { return [=](stream<event> s) { return in_time(std::move(s), 5ns) | dedup(id, horizon); }; };
  check_schema<event>("dedup", "dedup, 20 ns; value i64 repeated", by(&event::time, 20ns), by(&event::value, 20ns));
  check_schema<event>("dedup", "dedup, 20 ns; value i64 repeated", by(&event::time, 20ns), by(&event::time, 30ns));
}

TEST_CASE("joins refuse another interval or tolerance, and another operator", "[operators][schema]") {
  auto const within = [](ns upper, join_kind kind) {
    return [=](stream<side> s) { return pairs_within(std::move(s), 5ns, interval(-2ns, upper), kind); };
  };
  auto const as_of = [](ns tolerance) {
    return [=](stream<side> s) { return pairs_as_of(std::move(s), 5ns, tolerance, join_kind::left); };
  };
  std::string const sides_text = "; key string; left weir::test::event; right weir::test::quote";
  check_schema<side>("interval_join", "interval_join, -2 ns to 3 ns" + sides_text, within(3ns, join_kind::inner),
                     within(4ns, join_kind::inner));
  check_compatible<side>(within(3ns, join_kind::full), within(3ns, join_kind::inner));
  check_schema<side>("as_of_join", "as_of_join, 3 ns" + sides_text, as_of(3ns), as_of(4ns));
}

TEST_CASE("windows by number refuse other elements, and fewer than are open", "[operators][schema]") {
  auto const threes = [](std::size_t n) { return [n](stream<event> s) { return std::move(s) | window(n).named("threes"); }; };
  auto const keys = [](stream<event> s) { return std::move(s) | map(&event::key) | window(4).named("threes"); };
  check_schema<event>("threes", "window; value list<weir::test::event>", threes(4), keys);
  check_compatible<event>(threes(5), threes(4));
  auto const refused = goes_on<event>(taken<event>(threes(4)).all(), threes(3));
  CHECK(refused.code == errc::incompatible);
  CHECK_THAT(refused.failure, Catch::Contains("it has 3 open elements, and windows are of 3"));
}

TEST_CASE("operators of one layout say which they are", "[operators][schema]") {
  auto const taking = [](std::uint64_t n) { return [n](stream<event> s) { return std::move(s) | take(n).named("first"); }; };
  auto const skipping = [](stream<event> s) { return std::move(s) | skip(2).named("first"); };
  check_schema<event>("first", "take", taking(9), skipping);
  check_schema<event>("first", "skip", skipping, taking(9));
  check_compatible<event>(taking(5), taking(9));
  check_schema<event>(
      "event_time", "event_time", [](stream<event> s) { return in_time(std::move(s), 5ns); },
      [](stream<event> s) { return std::move(s) | take(9).named("event_time"); });
  check_compatible<event>([](stream<event> s) { return in_time(std::move(s), 6ns); },
                          [](stream<event> s) { return in_time(std::move(s), 5ns); });
}

TEST_CASE("behind a split, and where branches meet, operators say it too", "[operators][schema]") {
  auto const halves = [](auto init) {
    return [init](stream<event> s) {
      auto both = split(std::move(s), [](event const& e) { return e.key == "a"; });
      auto sums = std::move(both.matching) | scan(init, adds(init)) | map([](auto const&) { return 0; });
      auto others = std::move(both.rest) | map([](event const&) { return 1; });
      return stream<int>(merge(std::move(sums), std::move(others)));
    };
  };
  std::string id;
  for (operator_schema const& s : taken<event>(halves(0)).schemas) id += s.operator_id + ": " + s.text;
  CHECK_THAT(id, Catch::EndsWith("split 0/scan: scan; value i32"));
  CHECK(goes_on<event>(taken<event>(halves(0)).all(), halves(0)).failure == "");
  auto const refused = goes_on<event>(taken<event>(halves(std::int64_t(0))).all(), halves(0));
  CHECK(refused.code == errc::incompatible);
  CHECK_THAT(refused.failure, Catch::Contains("split 0/scan"));
}

TEST_CASE("a schema is said once a run", "[operators][schema]") {
  feed<event> in(events("a1 b2 a3"));
  in.barrier_at(1).barrier_at(2);
  (void)all_of(opened(in, in_windows(count())));
  CHECK(in.barrier(0).state().take_schemas().size() == 2);
  CHECK(in.barrier(1).state().take_schemas().empty());
}
