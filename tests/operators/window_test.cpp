#include <weir/operators/window.hpp>

#include <weir/operators/filter.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"
#include "support/fails_with.hpp"

#include <memory>
#include <string>

using namespace weir;
using namespace weir::test;

using windows = std::vector<std::vector<int>>;

namespace {

auto threes(stream<int> s) { return std::move(s) | window(3); }
std::string shown(feed<int> const& in) { return testing::run(show<std::vector<int>>(threes(in.open()))); }

}  // namespace

//  0 1 2 3 4 5 6 7
// [-----|-----|---]
TEST_CASE("window groups each n elements in order, the last may be smaller, for every chunking") {
  for (std::size_t const n : chunkings) {
    CHECK(all_of<std::vector<int>>(threes(feed(numbers(0, 8)).chunks(n).open())) == windows{{0, 1, 2}, {3, 4, 5}, {6, 7}});
    CHECK(all_of<std::vector<int>>(threes(feed(numbers(0, 6)).chunks(n).open())) == windows{{0, 1, 2}, {3, 4, 5}});
    CHECK(all_of<std::vector<int>>(feed(numbers(0, 3)).chunks(n).open() | window(1)) == windows{{0}, {1}, {2}});
    CHECK(all_of<std::vector<int>>(feed(numbers(0, 3)).chunks(n).open() | window(1000)) == windows{{0, 1, 2}});
  }
}

TEST_CASE("window of an empty stream is empty") { CHECK(all_of<std::vector<int>>(threes(feed<int>({}).open())).empty()); }

TEST_CASE("a window of no elements is refused") {
  fails_with(errc::invalid_option, [] { (void)window(0); }, "window", "at least 1");
}

TEST_CASE("window moves elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  auto out = feed(std::move(in)).open() | window(2) | map([](auto const& w) { return static_cast<int>(w.size()) * 10 + *w.back(); });
  CHECK(all_of<int>(std::move(out)) == std::vector{22, 13});
}

TEST_CASE("window is reused when downstream refuses it") {
  auto out = feed(numbers(0, 9)).open() | window(3) | filter([](std::vector<int> const& w) { return w[0] != 3; });
  CHECK(all_of<std::vector<int>>(std::move(out)) == windows{{0, 1, 2}, {6, 7, 8}});
}

TEST_CASE("window passes an upstream failure on after the full windows, without the open one") {
  check_upstream_failure<std::vector<int>>({0, 1, 2, 3}, {{0, 1, 2}}, threes);
}

TEST_CASE("window before a failing function: the windows before are done, the checkpoint inside the failing one is not") {
  check_user_failure<std::vector<int>>({{1, 2}}, [](stream<int> s) {
    return std::move(s) | window(2) | map([](std::vector<int> w) {
             no_three(w[0]);
             return w;
           });
  });
}

TEST_CASE("window that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | map(hook) | window(5); });
}

TEST_CASE("window dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | window(4); });
}

TEST_CASE("window does not run ahead of its consumer") {
  check_does_not_run_ahead(threes, [](std::size_t n) { return 3 * n; });
}

// 0 1 2 | 3 4 w5 5 | w6 w7 idle 6
TEST_CASE("a mark that comes while a window is open follows it, and none is overtaken") {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    feed<int> aligned(numbers(0, 6));
    CHECK(shown(aligned.chunks(n).mark_at(0, mark::watermark(1)).barrier_at(3).stops()) == "w1 [0,1,2] | [3,4,5] stop");
    feed<int> inside(numbers(0, 7));
    inside.chunks(n)
        .barrier_at(1)
        .mark_at(2, mark::watermark(5))
        .barrier_at(2)
        .mark_at(4, mark::watermark(6))
        .mark_at(5, mark::watermark(7));
    CHECK(shown(inside.mark_at(5, mark::idle())) == "[0,1,2] | w5 | [3,4,5] w7 idle [6]");
  }
}

TEST_CASE("a checkpoint inside a window is done when the window is, at the end of the data as well") {
  for (std::size_t const n : chunkings) {
    feed<int> in(numbers(0, 5));
    in.chunks(n).barrier_at(1).barrier_at(4).barrier_at(5);
    std::vector<bool> done;
    auto const work = [&]() -> task<> {
      auto all = threes(in.open()) | for_each([&](std::vector<int> const&) {
                   for (std::size_t i = 0; i != 3; ++i) done.push_back(in.barrier(i).completed());
                 });
      co_await all;
    };
    testing::run(work());
    CHECK(done == std::vector{false, false, false, true, false, false});
    CHECK(in.barrier(1).completed());
    CHECK(in.barrier(2).completed());
  }
}

TEST_CASE("a stream that is stopped emits no partial window and completes no checkpoint inside it") {
  for (std::size_t const n : chunkings) {
    feed<int> in(numbers(0, 5));
    in.chunks(n).barrier_at(3).barrier_at(5).stops();
    CHECK(all_of<std::vector<int>>(threes(in.open())) == windows{{0, 1, 2}});
    CHECK(in.barrier(0).completed());
    CHECK_FALSE(in.barrier(1).completed());
  }
}

TEST_CASE("a window has the latest event time in it") {
  for (std::size_t const n : chunkings) {
    feed<int> in(numbers(0, 5));
    timed_stream<std::vector<int>> out = in.chunks(n).open_timed() | window(2);
    CHECK(testing::run(show<std::vector<int>>(std::move(out))) == "[0,1]@10 [2,3]@30 [4]@40");
  }
}

TEST_CASE("after a restart at the end of a window the windows are those of an uninterrupted run") {
  for (std::size_t const n : chunkings) {
    for (std::size_t const at : {0u, 3u, 6u, 8u}) {
      feed<int> first(numbers(0, 8));
      first.chunks(n).barrier_at(at);
      auto got = testing::run(run_to<std::vector<int>>(threes(first.open()), first.barrier()));
      REQUIRE(got.state);
      auto const rest = all_of<std::vector<int>>(threes(feed(numbers(static_cast<int>(at), 8)).chunks(n).open()));
      got.values.insert(got.values.end(), rest.begin(), rest.end());
      CHECK(got.values == windows{{0, 1, 2}, {3, 4, 5}, {6, 7}});
    }
  }
}

TEST_CASE("after a restart within a window no element is missing, and those behind the checkpoint come again") {
  for (std::size_t const n : chunkings) {
    for (std::size_t const at : {1u, 2u, 4u, 5u, 7u}) {
      feed<int> first(numbers(0, 8));
      first.chunks(n).barrier_at(at);
      auto got = testing::run(run_to<std::vector<int>>(threes(first.open()), first.barrier()));
      REQUIRE(got.state);
      std::vector<int> before;
      for (auto const& w : got.values) before.insert(before.end(), w.begin(), w.end());
      CHECK(before == numbers(0, at > 6 ? 8 : static_cast<int>(at + 2) / 3 * 3));  // up to the end of the window with the checkpoint
    }
  }
}

TEST_CASE("a window with a name goes on over a restart, wherever the checkpoint is") {
  check_restored_equals_uninterrupted(numbers(0, 14),
                                      [](stream<int> s) -> stream<std::vector<int>> { return std::move(s) | window(4).named("fours"); });
}

TEST_CASE("a barrier passes a window with a name at once, watermarks follow the window") {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    feed<int> in(numbers(0, 4));
    in.chunks(n).barrier_at(1).mark_at(2, mark::watermark(5)).barrier_at(2).mark_at(3, mark::watermark(30));
    timed_stream<std::vector<int>> out = in.open_timed() | window(3).named("threes");
    CHECK(testing::run(show<std::vector<int>>(std::move(out))) ==
          "| | [0,1,2]@20 " + std::string(n == 0 || n == 1 ? "w5 " : "") + "w30 [3]@30");
  }
}

TEST_CASE("a window with a name keeps the latest event time of what is open, and refuses a state that is not its own") {
  feed<int> first(numbers(0, 2));
  first.barrier_at(2).stops();
  timed_stream<std::vector<int>> before = first.open_timed() | window(3).named("threes");
  CHECK(all_of<std::vector<int>>(std::move(before)).empty());
  feed<int> rest({2});
  rest.restores(first.kept());
  timed_stream<std::vector<int>> behind = rest.open_timed() | window(3).named("threes");
  CHECK(testing::run(show<std::vector<int>>(std::move(behind))) == "restore [0,1,2]@10");  // 0 is the time of the last one
  for (std::size_t const bytes : {0u, 3u, 20u}) {
    feed<int> wrong(numbers(0, 3));
    wrong.restores(whole_states({{"threes", std::vector<std::byte>(bytes)}}));
    stream<std::vector<int>> refused = wrong.open() | window(3).named("threes");
    CHECK(testing::run(drain(std::move(refused))).code == errc::corrupt);
  }
}

TEST_CASE("a barrier behind which nothing comes closes a window without a name") {
  class closing final : public barrier {
  public:
    closing() noexcept : barrier(true) {}
  };
  closing last;
  feed<int> in(numbers(0, 5));
  in.mark_at(4, mark::barrier(last));
  CHECK(shown(in) == "[0,1,2] [3] | [4]");
  CHECK_FALSE(last.overtaken());
}

TEST_CASE("a barrier knows whether elements from behind it have left before it") {
  feed<int> in(numbers(0, 7));
  in.barrier_at(1).barrier_at(3).barrier_at(5).barrier_at(7);
  (void)all_of<std::vector<int>>(threes(in.open()));
  CHECK(in.barrier(0).overtaken());
  CHECK_FALSE(in.barrier(1).overtaken());
  CHECK(in.barrier(2).overtaken());
  CHECK_FALSE(in.barrier(3).overtaken());  // at the end of the data
}
