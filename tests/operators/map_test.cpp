#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"

#include <memory>

using namespace weir;
using namespace weir::test;

namespace {

struct order {
  order(int i, std::string n) : id(i), name(std::move(n)) {}
  int id;
  std::string name;
  std::string label() const { return name + "#" + std::to_string(id); }
};
std::vector<order> two_orders() { return {order(1, "tea"), order(2, "milk")}; }

auto doubled(stream<int> s) {
  return std::move(s) | map([](int x) { return 2 * x; });
}

}  // namespace

TEST_CASE("map replaces each element by what its function makes of it, for every chunking") {
  for (std::size_t const n : chunkings) CHECK(all_of<int>(doubled(feed<int>({3, 1, 2}).chunks(n).open())) == std::vector{6, 2, 4});
}

TEST_CASE("map of an empty stream is empty") { CHECK(all_of<int>(doubled(feed<int>({}).open())).empty()); }

TEST_CASE("map's function takes the element by value, reference, const reference, or names a member") {
  std::vector<std::string> const names{"tea", "milk"};
  CHECK(all_of<std::string>(feed<order>(two_orders()).open() | map([](order o) { return o.name; })) == names);
  CHECK(all_of<std::string>(feed<order>(two_orders()).open() | map([](order& o) { return std::move(o.name); })) == names);
  CHECK(all_of<std::string>(feed<order>(two_orders()).open() | map([](order&& o) { return std::move(o.name); })) == names);
  CHECK(all_of<std::string>(feed<order>(two_orders()).open() | map([](order const& o) -> std::string const& { return o.name; })) == names);
  CHECK(all_of<std::string>(feed<order>(two_orders()).open() | map(&order::name)) == names);
  CHECK(all_of<std::string>(feed<order>(two_orders()).open() | map(&order::label)) == std::vector<std::string>{"tea#1", "milk#2"});
}

TEST_CASE("map moves elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  stream<int> out = feed(std::move(in)).chunks(2).open() | map([](std::unique_ptr<int> p) { return p; }) |
                    map([](std::unique_ptr<int>& p) { return std::move(p); }) | map([](auto const& p) { return *p; });
  CHECK(all_of(std::move(out)) == std::vector{1, 2, 3});
}

TEST_CASE("map passes an upstream failure on after what came before it") { check_upstream_failure<int>({1, 2}, {2, 4}, doubled); }

TEST_CASE("map's failing function ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 2}, [](stream<int> s) { return std::move(s) | map(no_three); });
}

TEST_CASE("map that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | map(hook); });
}

TEST_CASE("map dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | map([](tracked t) { return t; }); });
}

TEST_CASE("map does not run ahead of its consumer") {
  check_does_not_run_ahead(doubled, [](std::size_t n) { return n; });
}

TEST_CASE("map keeps event times and the place of marks") {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    feed<int> in({1, 2, 3});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(2).stops();
    timed_stream<std::string> out = in.open_timed() | map([](int x) { return std::string(static_cast<std::size_t>(x), 'x'); });
    CHECK(testing::run(show<std::string>(std::move(out))) == "x@0 w5 xx@10 | xxx@20 stop");
  }
}

TEST_CASE("map restored from a checkpoint goes on where it was") {
  check_restored_equals_uninterrupted(numbers(0, 9), [](stream<int> s) { return stream<int>(doubled(std::move(s))); });
}
