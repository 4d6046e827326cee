#include <weir/operators/scan.hpp>

#include "operators/stage_checks.hpp"

#include <functional>
#include <map>
#include <memory>

using namespace weir;
using namespace weir::test;

namespace {

auto sums(stream<int> s) { return std::move(s) | scan(0, std::plus<>()); }

}  // namespace

TEST_CASE("scan hands on its accumulator after each element, for every chunking") {
  for (std::size_t const n : chunkings) CHECK(all_of<int>(sums(feed<int>({1, 2, 3, 4}).chunks(n).open())) == std::vector{1, 3, 6, 10});
}

TEST_CASE("scan of an empty stream is empty: the initial value is not handed on") {
  CHECK(all_of<int>(sums(feed<int>({}).open())).empty());
}

TEST_CASE("scan's function may change the accumulator in place or return the next one") {
  using text = std::string;
  std::vector<text> const expected{"1", "12", "123"};
  CHECK(all_of<text>(feed<int>({1, 2, 3}).open() | scan(text(), [](text& all, int x) { all += std::to_string(x); })) == expected);
  CHECK(all_of<text>(feed<int>({1, 2, 3}).open() | scan(text(), [](text const& all, int x) { return all + std::to_string(x); })) ==
        expected);
  CHECK(all_of<text>(feed<int>({1, 2, 3}).open() | scan(text(), [](text all, int x) { return all + std::to_string(x); })) == expected);
}

TEST_CASE("scan takes elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  auto out = feed(std::move(in)).open() | scan(0, [](int& sum, std::unique_ptr<int> p) { sum += *p; });
  CHECK(all_of<int>(std::move(out)) == std::vector{1, 3, 6});
}

TEST_CASE("scan passes an upstream failure on after what came before it") { check_upstream_failure<int>({1, 2}, {1, 3}, sums); }

TEST_CASE("scan's failing function ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 3}, [](stream<int> s) { return std::move(s) | scan(0, [](int& sum, int x) { sum += no_three(x); }); });
}

TEST_CASE("scan that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return std::move(s) | scan(0, [hook](int& last, int x) {
             hook(x);
             last = x;
           });
  });
}

TEST_CASE("scan dropped half-way destroys what it holds") {
  check_early_drop(
      [](stream<tracked> s) { return std::move(s) | scan(std::string(), [](std::string& all, tracked const&) { all += 'x'; }); });
}

TEST_CASE("scan does not run ahead of its consumer") {
  check_does_not_run_ahead(sums, [](std::size_t n) { return n; });
}

TEST_CASE("scan keeps event times and the place of marks") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 3});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(2).stops();
    timed_stream<int> out = in.open_timed() | scan(0, std::plus<>());
    CHECK(testing::run(show<int>(std::move(out))) == "1@0 w5 3@10 | 6@20 stop");
  }
}

TEST_CASE("scan goes on from its accumulator after a restart") {
  check_restored_equals_uninterrupted(numbers(1, 10), [](stream<int> s) { return stream<int>(sums(std::move(s))); });
  using counts = std::map<std::string, int>;
  check_restored_equals_uninterrupted(std::vector<std::string>{"a", "b", "a", "c"}, [](stream<std::string> s) -> stream<counts> {
    return std::move(s) | scan(counts(), [](counts& all, std::string const& word) { ++all[word]; });
  });
}

TEST_CASE("two scans in a chain restore each its own accumulator, by their names") {
  auto const products = [](stream<int> s) { return std::move(s) | scan(1, std::multiplies<>()).named("products"); };
  check_restored_equals_uninterrupted(numbers(1, 10), [&](stream<int> s) { return stream<int>(products(sums(std::move(s)))); });
  check_restored_equals_uninterrupted(numbers(1, 10),
                                      [&](stream<int> s) { return stream<int>(sums(stream<int>(products(std::move(s))))); });
}

TEST_CASE("two scans of one name in a chain are refused with the first checkpoint") {
  feed<int> in(numbers(1, 10));
  in.barrier_at(3);
  auto const got = testing::run(drain(stream<int>(sums(sums(in.open())))));
  CHECK(got.code == errc::misuse);
  CHECK(got.failure.find("two operators with state are called \"scan\"; give one of them another name: .named(\"...\")") !=
        std::string::npos);
}

TEST_CASE("scan refuses a state that is not its own") {
  feed<int> in(numbers(0, 3));
  in.restores(whole_states({{"scan", std::vector<std::byte>(3)}}));
  CHECK(testing::run(drain<int>(sums(in.open()))).code == errc::corrupt);
}
