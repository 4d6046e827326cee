#include <weir/operators/batch.hpp>

#include "operators/beside_support.hpp"
#include "support/fails_with.hpp"

#include <string>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using batches = std::vector<std::vector<int>>;

namespace {

std::uint64_t length(std::string const& s) { return s.size(); }

// Every test that is about elements and bytes holds for both ways in which batch works: with a time limit that is never reached, and
// without.
template <class T, class Options> stream<std::vector<T>> batched(stream<T> s, Options o, bool timed) {
  if (timed) return std::move(s) | batch(o.time(24h));
  return std::move(s) | batch(o);
}

class counting_clock final : public weir::clock {
public:
  explicit counting_clock(weir::clock& c) : under_(c) {}
  instant now() const noexcept override { return under_.now(); }
  std::chrono::nanoseconds steady() const noexcept override { return under_.steady(); }
  void start(timer& t, std::chrono::nanoseconds d) override {
    ++started;
    under_.start(t, d);
  }
  void stop(timer& t) noexcept override { under_.stop(t); }
  int started = 0;

private:
  weir::clock& under_;
};

}  // namespace

TEST_CASE("batch closes at the count; the rest follows at the end of the data", "[operators][batch]") {
  for (bool const timed : {false, true}) {
    for (std::size_t const chunk : chunkings) {
      CAPTURE(timed, chunk);
      feed<int> source(numbers(0, 10));
      source.chunks(chunk);
      CHECK(all_of(batched(source.open(), batch_options().count(4), timed)) == batches{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}});
      feed<int> even(numbers(0, 4));
      even.chunks(chunk);
      CHECK(all_of(batched(even.open(), batch_options().count(2), timed)) == batches{{0, 1}, {2, 3}});
      CHECK(all_of(batched(feed<int>({}).open(), batch_options().count(2), timed)).empty());
    }
  }
  CHECK(all_of<std::vector<int>>(feed<int>(numbers(0, 3)).open() | batch(2)) == batches{{0, 1}, {2}});
}

TEST_CASE("batch closes with the element that reaches the bytes", "[operators][batch]") {
  std::vector<std::string> const texts{"aa", "bb", "ccc", "d", "eeeeee", "f"};
  for (bool const timed : {false, true}) {
    auto const got = all_of(batched(feed<std::string>(texts).open(), batch_options().bytes(4, length), timed));
    CHECK(got == std::vector<std::vector<std::string>>{{"aa", "bb"}, {"ccc", "d"}, {"eeeeee"}, {"f"}});
    auto const first = all_of(batched(feed<std::string>(texts).open(), batch_options().bytes(1000, &std::string::size).count(4), timed));
    CHECK(first == std::vector<std::vector<std::string>>{{"aa", "bb", "ccc", "d"}, {"eeeeee", "f"}});
  }
}

// ms          0    100   200   300   400   500 ...
// elements         0     1     2     3     4     5 6 7 ... each 100
// batches                      [0,1,2]           [3,4,5]         250 ms after its first element, before the next one
TEST_CASE("batch closes when the time since its first element is over", "[operators][batch]") {
  auto const body = []() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    stream<std::vector<int>> s = slow_numbers(0, 8, 100ms) | batch(batch_options().count(100).time(250ms));
    std::vector<instant> at;
    batches got;
    while (auto* const b = co_await s.next()) {
      got.push_back(*b);
      at.push_back((own.clock().now() - start) / 1'000'000);
    }
    CHECK(got == batches{{0, 1, 2}, {3, 4, 5}, {6, 7}});
    CHECK(at == std::vector<instant>{350, 650, 800});
  };
  testing::run(body());
}

TEST_CASE("the time of a batch counts anew from its first element", "[operators][batch]") {
  auto const body = []() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    stream<std::vector<int>> s = slow_numbers(0, 3, 1h) | batch(batch_options().count(2).time(1s));
    std::vector<instant> at;
    while (co_await s.next()) at.push_back((own.clock().now() - start) / 1'000'000'000);
    CHECK(at == std::vector<instant>{3601, 7201, 10800});
  };
  testing::run(body());
}

TEST_CASE("a barrier closes the batch that holds what came before it", "[operators][batch]") {
  for (bool const timed : {false, true}) {
    for (std::size_t const chunk : chunkings) {
      CAPTURE(timed, chunk);
      feed<int> source(numbers(0, 7));
      source.chunks(chunk).barrier_at(2).barrier_at(3).mark_at(4, mark::idle()).barrier_at(6);
      CHECK(testing::run(show(batched(source.open(), batch_options().count(3), timed))) == "[0,1] | [2] | [3,4,5] idle | [6]");
      feed<int> before(numbers(0, 3));
      before.chunks(chunk).barrier_at(0).barrier_at(3);
      CHECK(testing::run(show(batched(before.open(), batch_options().count(2), timed))) == "| [0,1] [2] |");
    }
  }
}

TEST_CASE("after a stop the open batch is not emitted", "[operators][batch]") {
  for (bool const timed : {false, true}) {
    feed<int> source(numbers(0, 6));
    source.barrier_at(2).barrier_at(5).stops();
    CHECK(testing::run(show(batched(source.open(), batch_options().count(2), timed))) == "[0,1] | [2,3] [4] | stop");
  }
}

TEST_CASE("a batch has the latest event time in it, watermarks follow it", "[operators][batch]") {
  feed<int> source(numbers(0, 3));
  source.chunks(3).mark_at(1, mark::watermark(5)).mark_at(3, mark::watermark(20));
  timed_stream<std::vector<int>> fused = source.open_timed() | batch(2);
  CHECK(testing::run(show<std::vector<int>>(std::move(fused))) == "[0,1]@10 w5 [2]@20 w20");
  feed<int> again(numbers(0, 3));
  again.chunks(3).mark_at(1, mark::watermark(5)).mark_at(3, mark::watermark(20));
  timed_stream<std::vector<int>> waiting = again.open_timed() | batch(batch_options().count(2).time(1s));
  CHECK(testing::run(show<std::vector<int>>(std::move(waiting))) == "[0,1]@10 w5 [2]@20 w20");
}

TEST_CASE("an upstream failure follows the batches closed before it", "[operators][batch]") {
  for (bool const timed : {false, true}) {
    feed<int> source(numbers(0, 5));
    source.fails("source broke");
    auto const got = testing::run(drain(batched(source.open(), batch_options().count(2), timed)));
    CHECK(got.values == batches{{0, 1}, {2, 3}});
    CHECK(got.failure == "source broke");
  }
}

TEST_CASE("a size function that throws fails the stream, after the batches closed before", "[operators][batch]") {
  auto const size = [](int x) -> std::uint64_t {
    if (x == 3) throw std::runtime_error("three");
    return 1;
  };
  for (bool const timed : {false, true}) {
    auto const got = testing::run(drain(batched(feed<int>(numbers(0, 5)).open(), batch_options().bytes(2, size), timed)));
    CHECK(got.values == batches{{0, 1}});
    CHECK(got.failure == "three");
  }
}

TEST_CASE("cancelled while a batch is open", "[operators][batch]") {
  work_log log;
  auto const body = [&](bool timed) -> task<> {
    stream<std::vector<int>> s = batched(slow_numbers(0, 5, 1h, &log), batch_options().count(2), timed);
    auto draining = drain_for(std::move(s), 3h + 30min);
    seen<std::vector<int>> const got = co_await std::move(draining);
    CHECK(got.values == batches{{0, 1}});
    CHECK(got.code == condition::cancelled);
    if (timed) CHECK(log.running == 0);
  };
  testing::run(body(true));
  testing::run(body(false));
  CHECK(log.running == 0);
}

TEST_CASE("dropped while a batch is open, or waits: nothing leaks and no timer fires later", "[operators][batch]") {
  auto const source = [](work_log& l) -> stream<tracked> {
    in_work const here(l);
    for (int i = 0; i != 7; ++i) {
      co_yield tracked(i);
      co_await sleep_for(1ms);
    }
    co_await sleep_for(24h);
  };
  for (std::size_t const n : {1u, 2u, 3u}) {
    work_log log;
    auto const body = [&]() -> task<> {
      context const& own = co_await current_context();
      instant const start = own.clock().now();
      {
        stream<std::vector<tracked>> s = source(log) | batch(batch_options().count(2).time(1h));
        auto taking = take_and_drop(std::move(s), n);
        (void)co_await std::move(taking);
      }
      co_await reschedule();
      CHECK(own.clock().now() - start < 1'000'000'000);
    };
    testing::run(body());
    CHECK(log.running == 0);
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("back-pressure: one batch waits while the consumer has another", "[operators][batch]") {
  feed<int> source(numbers(0, 100));
  source.waits();
  auto const body = [&]() -> task<> {
    stream<std::vector<int>> s = source.open() | batch(batch_options().count(10).time(1s));
    (void)co_await s.next();
    co_await sleep_for(1h);
    CHECK(source.handed_out() == 21);  // the one there is no room for is still the source's
  };
  testing::run(body());
}

TEST_CASE("no timer is started for batches that fill from what is there", "[operators][batch]") {
  // 1,000 elements in chunks of 250 fill 10 batches of 100: a timer for the half-filled one at the end of every second chunk only.
  class world final : public environment {
  public:
    explicit world(environment& e) : counting(e.clock()), under_(e) {}
    void post(detail::resumption r) override { under_.post(std::move(r)); }
    weir::clock& clock() noexcept override { return counting; }
    boost::asio::any_io_executor const& executor() noexcept override { return under_.executor(); }
    counting_clock counting;

  private:
    environment& under_;
  };
  auto const inner = [](stream<std::vector<int>> given) -> detail::root {
    stream<std::vector<int>> s = std::move(given);
    while (co_await s.next()) {}
  };
  auto const body = [&]() -> task<int> {
    context& own = co_await current_context();
    auto const counted = std::make_shared<world>(own.environment());
    feed<int> source(numbers(0, 1000));
    source.chunks(250);
    stream<std::vector<int>> s = source.open() | batch(batch_options().count(100).time(1s));
    auto* const home = new detail::nursery(*counted, counted);
    detail::nursery::start_main(detail::nursery_ref(*home), inner(std::move(s)));
    for (int i = 0; i != 10; ++i) co_await reschedule();
    co_return counted->counting.started;
  };
  CHECK(testing::run(body()) == 2);
}

TEST_CASE("batch may be pulled under another context each time", "[operators][batch]") {
  stream<std::vector<int>> s = slow_numbers(0, 4, 1ms) | batch(batch_options().count(2).time(1s));
  CHECK(testing::run(pull_each_under_its_own(std::move(s), 2)) == batches{{0, 1}, {2, 3}});
}

TEST_CASE("batch: every order of events gives a legal result", "[operators][batch]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    feed<int> source(numbers(0, 60));
    source.chunks(seed % 6).waits().barrier_at(17).barrier_at(40);
    auto const body = [&]() -> task<> {
      stream<std::vector<int>> s = source.open() | batch(batch_options().count(1 + seed % 5).time(1us));
      std::vector<int> got;
      while (auto* const b = co_await s.next()) {
        CHECK_FALSE(b->empty());
        CHECK(b->size() <= 1 + seed % 5);
        got.insert(got.end(), b->begin(), b->end());
        if (source.barrier().completed()) CHECK(got.size() >= 17);
        if (got.size() % 3 == 0) co_await reschedule();
      }
      CHECK(got == numbers(0, 60));
      CHECK(source.barrier(1).completed());
    };
    testing::run(body(), seed);
    auto const cut_off = [seed]() -> task<> {
      stream<std::vector<int>> s =
          slow_numbers(0, 50, 3us) | batch(batch_options().count(4).time(std::chrono::microseconds(1 + seed % 10)));
      if (seed % 2 == 0) {
        auto draining = drain_for(std::move(s), std::chrono::microseconds(seed));
        (void)co_await std::move(draining);
      } else {
        auto taking = take_and_drop(std::move(s), seed % 7);
        (void)co_await std::move(taking);
      }
    };
    testing::run(cut_off(), seed);
  }
}

TEST_CASE("batch: the event loop may be destroyed under it, with a source that waits and with the batch's timer alone",
          "[operators][batch]") {
  destroy_loop_under<std::vector<int>>(slow_numbers(0, 5, 1h) | batch(batch_options().count(2).time(2h)));
  auto const stuck = []() -> stream<tracked> {
    co_yield tracked(1);
    co_await std::suspend_always();
  };
  destroy_loop_under<std::vector<tracked>>(stuck() | batch(batch_options().count(2).time(2h)));
  CHECK(tracked::alive == 0);
}

TEST_CASE("batch refuses options that make no sense", "[operators][batch]") {
  fails_with(errc::invalid_option, [] { (void)batch(0); }, "batch: cannot be built");
  fails_with(errc::invalid_option, [] { (void)batch(batch_options()); }, "no limit");
  fails_with(errc::invalid_option, [] { (void)batch_options().bytes(0, length); }, "0 bytes");
  fails_with(errc::invalid_option, [] { (void)batch_options().time(-1ms); }, "time limit");
}
