#include <weir/detail/joined.hpp>

#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <stdexcept>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::tracked;

namespace {

detail::root beside(std::chrono::nanoseconds wait, bool& ended) {
  tracked const local(1);
  try {
    co_await sleep_for(wait);
  } catch (...) {}
  ended = true;
}
task<> leaves_one_behind(bool& ended, bool fails) {
  context& own = co_await current_context();
  own.nursery().start(beside(1h, ended), own.nursery().main());
  if (fails) throw std::runtime_error("broken");
}
task<> waits_inside() {
  tracked const local(2);
  co_await sleep_for(1h);
}

}  // namespace

TEST_CASE("work in a nursery of its own ends with all that it left behind, also when it throws", "[framework][nursery]") {
  for (bool fails : {false, true}) {
    bool ended = false;
    auto body = [](bool& flag, bool throws) -> task<> {
      auto work = leaves_one_behind(flag, throws);
      co_await detail::joined(std::move(work));
    };
    if (fails) CHECK_THROWS_WITH(testing::run(body(ended, fails)), "broken");
    else testing::run(body(ended, fails));
    CHECK(ended);
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("cancellation reaches through to what was left behind", "[framework][nursery]") {
  bool ended = false;
  instant took = 0;
  auto body = [](bool& flag, instant& time) -> task<> {
    context& own = co_await current_context();
    instant const start = own.clock().now();
    own.cancel();
    auto work = leaves_one_behind(flag, false);
    co_await detail::joined(std::move(work));
    time = own.clock().now() - start;
  };
  testing::run(body(ended, took));
  CHECK(ended);
  CHECK(took == 0);
}

TEST_CASE("an event loop that is destroyed destroys both nurseries", "[framework][nursery]") {
  bool ended = false;
  {
    boost::asio::io_context io(1);
    auto inner = [](bool& flag) -> task<> {
      auto first = leaves_one_behind(flag, false);
      co_await std::move(first);
      co_await waits_inside();
    };
    auto body = [](task<> work) -> task<> {
      tracked const local(3);
      co_await detail::joined(std::move(work));
    };
    spawn(io, body(inner(ended)), boost::asio::detached);
    io.poll();
    CHECK(tracked::alive == 3);
  }
  CHECK(tracked::alive == 0);
  CHECK_FALSE(ended);
}

TEST_CASE("what a spawned task keeps in its parameters is gone before what runs beside it is joined", "[framework][nursery]") {
  struct cancels_when_dropped {
    explicit cancels_when_dropped(context* c) : target(c) {}
    cancels_when_dropped(cancels_when_dropped&& o) noexcept : target(std::exchange(o.target, nullptr)) {}
    ~cancels_when_dropped() {
      if (target) target->cancel();
    }
    context* target;
  };
  auto keeps = [](cancels_when_dropped, bool& ended) -> task<> {
    context& own = co_await current_context();
    own.nursery().start(beside(1h, ended), own.nursery().main());
  };
  auto body = [&](bool& ended) -> task<instant> {
    context& own = co_await current_context();
    instant const start = own.clock().now();
    auto work = keeps(cancels_when_dropped(&own), ended);
    co_await detail::joined(std::move(work));
    co_return own.clock().now() - start;
  };
  bool ended = false;
  CHECK(testing::run(body(ended)) == 0);
  CHECK(ended);
}

TEST_CASE("what a nursery keeps lasts to the end of its main coroutine, and no longer", "[framework][nursery]") {
  bool ended = false;
  auto body = [](bool& beside_ended) -> task<> {
    context& own = co_await current_context();
    bool inside_was_outermost = false;
    auto inside = [](bool& same, detail::nursery& around) -> task<> {
      context const& mine = co_await current_context();
      same = &mine.nursery().outermost() == &around;
      mine.nursery().keep(std::make_shared<tracked>(2));
      co_await sleep_for(1s);
      CHECK(tracked::alive == 2);
    };
    CHECK(&own.nursery().outermost() == &own.nursery());
    own.nursery().keep(std::make_shared<tracked>(1));
    auto work = inside(inside_was_outermost, own.nursery());
    co_await detail::joined(std::move(work));
    CHECK(inside_was_outermost);
    CHECK(tracked::alive == 1);
    own.nursery().start(beside(2s, beside_ended), own.nursery().main());
    auto watch = []() -> detail::root {
      co_await sleep_for(1s);
      CHECK(tracked::alive == 1);  // what beside() has: the other is gone, though that still runs
      context const& mine = co_await current_context();
      mine.nursery().keep(std::make_shared<tracked>(3));  // too late
      CHECK(tracked::alive == 1);
    };
    own.nursery().start(watch(), own.nursery().main());
  };
  testing::run(body(ended));
  CHECK(ended);
  CHECK(tracked::alive == 0);
  {  // an event loop that ends before it
    auto kept = []() -> task<> {
      context const& own = co_await current_context();
      own.nursery().keep(std::make_shared<tracked>(1));
      co_await sleep_for(1h);
    };
    boost::asio::io_context short_lived;
    spawn(short_lived, kept(), boost::asio::detached);
    short_lived.poll();
    CHECK(tracked::alive == 1);
  }
  CHECK(tracked::alive == 0);
}
