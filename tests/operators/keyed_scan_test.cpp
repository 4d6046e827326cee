// scan(init, f, expiry): one accumulator per key.
#include <weir/operators/key_by.hpp>
#include <weir/operators/scan.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"

#include <functional>
#include <map>
#include <memory>

using namespace weir;
using namespace weir::test;

namespace {

template <class K, class V> std::string text(keyed_value<K, V> const& x) { return test::text(x.key) + "=" + test::text(x.value); }
void add(int& sum, event const& e) { sum += e.value; }

template <class Expiry> auto sums(Expiry expiry, std::shared_ptr<key_counts> keys = nullptr) {
  return [=](stream<event> s) {
    return in_time(std::move(s), 0ns) | key_by(&event::key) | scan(0, add, expiry).keys_counted_in(keys) |
           map([](auto const& x) { return text(x); });
  };
}
template <class Expiry> std::string summed(std::string const& line, Expiry expiry) {
  return same_for_all_chunkings(events(line), sums(expiry));
}

// Sums of odd and even numbers, which are their own time.
template <class F> auto scanned(stream<int> s, F f) {
  return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | key_by([](int x) { return x % 2; }) |
         scan(0, f, expire_after(10ns)) | map([](auto const& x) { return x.value; });
}
auto scanned_numbers(stream<int> s) { return scanned(std::move(s), std::plus<>()); }

}  // namespace

TEST_CASE("a keyed scan hands on its key's accumulator after each element") {
  CHECK(summed("a1=1 b2=10 a3=2 b4=20 a5=3", never_expires()) == "a=1 b=10 a=3 b=30 a=6");
  auto out = in_time(feed(events("a1=5")).open(), 0ns) | key_by(&event::key) | scan(1, add, never_expires());
  for (auto const& [key, value] : all_of<keyed_value<std::string, int>>(std::move(out))) {
    CHECK(key == "a");
    CHECK(value == 6);
  }
}

TEST_CASE("a keyed scan of an empty stream is empty") { CHECK(summed("", never_expires()) == ""); }

// Kept for 10: a goes when the watermark is at 11, one behind the highest time.
TEST_CASE("the accumulator of a key that nothing came for expires, and the key starts anew") {
  CHECK(summed("a1=1 b11 a12=2", expire_after(10ns)) == "a=1 b=1 a=3");
  CHECK(summed("a1=1 b12 a13=2", expire_after(10ns)) == "a=1 b=1 a=2");
  CHECK(summed("a1=1 b12 a13=2", never_expires()) == "a=1 b=1 a=3");
}

TEST_CASE("a checkpoint of a keyed scan writes the keys that have changed since the one before, and takes out those that are gone") {
  feed in(events("a1=1 b2=1 b3=1 c15=1"));
  in.barrier_at(2).barrier_at(3).barrier_at(4);
  CHECK(in_a_line(all_of<std::string>(sums(expire_after(10ns))(in.open()))) == "a=1 b=1 b=2 c=1");
  auto const names = [&](std::size_t barrier) { return changes_of(in.barrier(barrier), "scan", [](auto const& name) { return name; }); };
  CHECK(names(0) == "+ +=a +=b");
  CHECK(names(1) == "+ +=b");
  CHECK(names(2) == "+ -=a -=b +=c");  // the watermark is at 14
}

TEST_CASE("a keyed scan folds late elements, and counts them") {
  auto keys = std::make_shared<key_counts>();
  auto out = sums(expire_after(10ns), keys)(feed(events("a9 b20 b12 a3 a4 b30")).stops().open());
  CHECK(in_a_line(all_of<std::string>(std::move(out))) == "a=1 b=1 b=2 a=1 a=1 b=3");
  CHECK(*keys == key_counts{1, 3, 0, 0, 3});
}

TEST_CASE("a keyed scan without event time keeps its keys") {
  auto out = feed<int>({1, 2, 3, 4}).open() | key_by([](int x) { return x % 2; }) | scan(0, std::plus<>(), never_expires());
  std::vector<int> got;
  for (auto const& x : all_of<keyed_value<int, int>>(std::move(out))) got.push_back(x.value);
  CHECK(got == std::vector{1, 2, 4, 6});
}

TEST_CASE("a keyed scan keeps event times and the place of marks") {
  for (std::size_t const n : chunkings) {
    feed<event> in(events("a1 b2 a3"));
    in.chunks(n).barrier_at(2).stops();
    timed_stream<std::string> out = sums(never_expires())(in.open());
    CHECK(testing::run(show<std::string>(std::move(out))) == "a=1@1 w0 b=1@2 w1 | a=2@3 w2 stop");
  }
}

TEST_CASE("a keyed scan passes an upstream failure on after what came before it") {
  check_upstream_failure<int>({1, 2, 3}, {1, 2, 4}, scanned_numbers);
}

TEST_CASE("a keyed scan's failing function ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 2}, [](stream<int> s) { return scanned(std::move(s), [](int& sum, int x) { sum += no_three(x); }); });
}

TEST_CASE("a keyed scan that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return scanned(std::move(s), [hook](int& last, int x) {
      hook(x);
      last = x;
    });
  });
}

TEST_CASE("a keyed scan dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) {
    return std::move(s) | key_by(&tracked::value) |
           scan(std::string(), [](std::string& all, tracked const&) { all += 'x'; }, never_expires());
  });
}

TEST_CASE("a keyed scan does not run ahead of its consumer") {
  check_does_not_run_ahead(scanned_numbers, [](std::size_t n) { return n; });
}

TEST_CASE("a keyed scan goes on from its accumulators after a restart, and expires them when it would have") {
  auto const input = events("a1 b2 a3 c9 a12 b13 a4 b30 a31 c31 b33 a50");
  check_restored_equals_uninterrupted(input, [](stream<event> s) -> stream<std::string> { return sums(never_expires())(std::move(s)); });
  check_restored_equals_uninterrupted(input, [](stream<event> s) -> stream<std::string> { return sums(expire_after(10ns))(std::move(s)); });
}

TEST_CASE("a keyed scan equals a map of sums") {
  std::map<std::string, int> expected;
  std::vector<event> input;
  std::string all;
  for (int i = 0; i != 1000; ++i) {
    input.emplace_back("k" + std::to_string(i * 7919 % 101), i, i);
    all += (i == 0 ? "" : " ") + input.back().key + "=" + std::to_string(expected[input.back().key] += i);
  }
  CHECK(same_for_all_chunkings(input, sums(never_expires())) == all);
}
