#include <weir/operators/partition_by.hpp>

#include <weir/operators/for_each.hpp>
#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"
#include "support/fails_with.hpp"

#include <memory>
#include <string_view>

using namespace weir;
using namespace weir::test;

namespace {

struct tick {
  tick(std::string s, int p) : symbol(std::move(s)), price(p) {}
  std::string symbol;
  int price;
};
std::vector<tick> ticks() { return {{"ETH", 1}, {"BTC", 2}, {"ETH", 3}, {"XRP", 4}, {"BTC", 5}, {"ETH", 6}}; }

// "ETH[1,3,6]"
template <class K> std::string line(group<K, tick> const& g) {
  std::vector<int> prices;
  for (tick const& t : g.values) prices.push_back(t.price);
  return g.key + text(prices);
}
auto by_parity(stream<int> s) {
  return std::move(s) | partition_by([](int x) { return x % 2; }) |
         map([](group<int, int> const& g) { return std::to_string(g.key) + text(g.values); });
}

}  // namespace

TEST_CASE("partition_by makes a group per key, keys in first-seen order and elements in theirs, for every chunking") {
  std::vector<std::string> const expected{"ETH[1,3,6]", "BTC[2,5]", "XRP[4]"};
  for (std::size_t const n : chunkings)
    CHECK(all_of<std::string>(feed(ticks()).chunks(n).open() | partition_by(&tick::symbol) | map(line<std::string>)) == expected);
}

TEST_CASE("a group has its parts by name and by structured binding") {
  auto const groups = all_of<group<std::string, tick>>(feed(ticks()).open() | partition_by(&tick::symbol));
  auto const& [key, values] = groups.at(1);
  CHECK(key == "BTC");
  CHECK(values.at(1).price == 5);
  CHECK(groups.at(2).key == "XRP");
  CHECK(groups.at(2).values.size() == 1);
}

TEST_CASE("partition_by keeps a key that is a view of its element as a string") {
  std::vector<std::string> const expected{"ETH[1,3,6]", "BTC[2,5]", "XRP[4]"};
  auto out = feed(ticks()).open() | partition_by([](tick const& t) { return std::string_view(t.symbol); }) | map(line<std::string>);
  CHECK(all_of<std::string>(std::move(out)) == expected);
}

TEST_CASE("keys may be pairs") {
  auto out = feed(numbers(0, 6)).open() | partition_by([](int x) { return std::pair(x % 2, x % 3); });
  CHECK(all_of<group<std::pair<int, int>, int>>(std::move(out)).size() == 6);
}

TEST_CASE("partition_by of an empty stream is empty") { CHECK(all_of<std::string>(by_parity(feed<int>({}).open())).empty()); }

TEST_CASE("partition_by moves elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  auto out =
      feed(std::move(in)).open() | partition_by([](auto const& p) { return *p % 2; }) | map([](auto const& g) { return *g.values.back(); });
  CHECK(all_of<int>(std::move(out)) == std::vector{3, 2});
}

TEST_CASE("partition_by emits nothing when its source fails") { check_upstream_failure<std::string>({1, 2}, {}, by_parity); }

TEST_CASE("partition_by's failing key function ends the stream without groups, and no checkpoint is done") {
  check_user_failure<std::string>({}, [](stream<int> s) {
    return std::move(s) | map(no_three) | partition_by([](int x) { return x; }) | map([](auto const& g) { return text(g.values); });
  });
  check_user_failure<int>({},
                          [](stream<int> s) { return std::move(s) | partition_by(no_three) | map([](auto const& g) { return g.key; }); });
  feed<int> in({1, 2, 3});
  in.barrier_at(2);
  auto const got = testing::run(drain<group<int, int>>(in.open() | partition_by(no_three)));
  CHECK(got.failure == "no three");
  CHECK_FALSE(in.barrier().completed());
}

TEST_CASE("partition_by refuses a larger batch than it may hold, and says what to use instead") {
  auto out = feed(numbers(0, 11)).open() | partition_by([](int x) { return x % 2; }, {.max_elements = 10});
  auto const got = testing::run(drain<group<int, int>>(std::move(out)));
  CHECK(got.values.empty());
  CHECK(got.code == errc::too_large);
  CHECK(got.failure ==
        "partition_by: cannot hold the batch: it has more than 10 elements; "
        "use key_by with a window, which works on a stream without end, or raise max_elements");
  CHECK(all_of<group<int, int>>(feed(numbers(0, 10)).open() | partition_by([](int x) { return x % 2; }, {.max_elements = 10})).size() == 2);
  auto const key = [](int x) { return x; };
  fails_with(errc::invalid_option, [&] { (void)partition_by(key, {.max_elements = 0}); }, "partition_by", "max_elements is 0");
}

TEST_CASE("partition_by that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | map(hook) | partition_by([](bool b) { return b; }); });
}

TEST_CASE("partition_by dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | partition_by([](tracked const& t) { return t.value() % 5; }); });
}

TEST_CASE("partition_by reads its whole input at the first pull and no further") {
  auto const work = []() -> task<> {
    feed<int> in(numbers(0, 100));
    auto out = in.chunks(10).open() | partition_by([](int x) { return x % 2; });
    CHECK(in.handed_out() == 0);
    for (int i = 0; i < 2; ++i) {
      auto const* const g = co_await out.next();
      CHECK(g);
      CHECK(in.handed_out() == 100);
    }
  };
  testing::run(work());
}

TEST_CASE("marks wait for the groups, which have the latest event time in them") {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    feed<int> in({3, 4, 5});
    in.chunks(n).mark_at(0, mark::watermark(1)).barrier_at(1).mark_at(1, mark::watermark(5)).mark_at(2, mark::watermark(6)).barrier_at(3);
    timed_stream<std::string> out =
        in.open_timed() | partition_by([](int x) { return x % 2; }) | map([](auto const& g) { return text(g.values); });
    CHECK(testing::run(show<std::string>(std::move(out))) == "w1 [3,5]@20 [4]@10 | w6 |");
  }
}

TEST_CASE("a checkpoint is done when all groups are, and not before") {
  feed<int> in({1, 2, 3});
  in.barrier_at(2).barrier_at(3);
  std::vector<bool> done;
  auto const work = [&]() -> task<> {
    auto all = in.open() | partition_by([](int x) { return x; });
    while (co_await all.next()) done.push_back(in.barrier().completed());
  };
  testing::run(work());
  CHECK(done == std::vector{false, false, false});
  CHECK(in.barrier(0).completed());
  CHECK(in.barrier(1).completed());
}

TEST_CASE("a stream that is stopped emits no groups and completes no checkpoint") {
  feed<int> in({1, 2, 3});
  in.barrier_at(3).stops();
  CHECK(all_of<std::string>(by_parity(in.open())).empty());
  CHECK_FALSE(in.barrier().completed());
}

TEST_CASE("partition_by that is dropped between groups has completed no checkpoint, so a restart makes them all again") {
  feed<int> in({1, 2, 3});
  in.barrier_at(2).barrier_at(3);
  auto const work = [&]() -> task<> {
    auto out = in.open() | partition_by([](int x) { return x; });
    auto const* const first = co_await out.next();
    CHECK(first);
  };
  testing::run(work());
  CHECK_FALSE(in.barrier(0).completed());
  CHECK_FALSE(in.barrier(1).completed());
}
