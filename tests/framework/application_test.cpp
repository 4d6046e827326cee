#include <weir/application.hpp>

#include <weir/fused_stream.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/recorder.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>
#include <weir/timeout.hpp>
#include <weir/timing.hpp>

#include "support/catch.hpp"
#include "support/keeping_in.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using test::keeping_in;
using namespace std::chrono_literals;
using testing::script;

namespace {

std::vector<int> up_to(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 1);
  return v;
}

std::optional<position> stored(state_store& store, std::string partition = "0") {
  auto body = [](state_store& s, std::string p) -> task<std::optional<position>> {
    auto const saved = co_await s.load(checkpoint_key("test/memory", "memory", p));
    if (!saved) co_return std::nullopt;
    co_return saved->head.position;
  };
  return testing::run(body(store, std::move(partition)));
}

struct drop_stage : forwards_marks {
  explicit drop_stage(int every) : every(every) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) { return x % every == 0 ? true : down.element(x, t); }
  int every;
};
auto drop_multiples_of(int n) { return simple_stage<drop_stage, unchanged>(drop_stage(n)); }

}  // namespace

TEST_CASE("both shapes of handler get every element, in order", "[framework][application]") {
  std::vector<int> plain, full;
  application app(keeping_in(nullptr));
  app.use_memory_stream(script<int>("a").elements({1, 2}).element(3),
                        [&](auto& pipeline) {
                          pipeline.use_stream([&](stream<int> s, cancellation c) -> task<> {
                            while (int* x = co_await s.next()) plain.push_back(*x);
                            CHECK_FALSE(c.requested());
                          });
                        })
      .use_memory_stream(script<int>("b").elements({4, 5, 6}), [&](auto& pipeline) {
        pipeline.use_stream([&](stream<int> s, stream_context& context) -> task<> {
          while (int* x = co_await s.next()) full.push_back(*x);
          CHECK(context.pipeline() == "b");
          CHECK(context.partition() == "0");
          CHECK(context.attempt() == 1);
        });
      });
  testing::run(app.serve());
  CHECK(plain == up_to(3));
  CHECK(full == std::vector<int>{4, 5, 6});
}

TEST_CASE("what cannot work is refused when it is built", "[framework][application]") {
  auto refused = [](auto build) {
    try {
      build();
    } catch (error const& e) {
      return e.code() == errc::invalid_pipeline;
    }
    return false;
  };
  auto nothing_to_do = [](stream<int>, cancellation) -> task<> { co_return; };
  CHECK(refused([] {
    application app;
    app.use_memory_stream(script<int>(), [](auto&) {});  // no terminal stage
  }));
  CHECK(refused([&] {
    application app;
    app.use_memory_stream(script<int>(), [&](auto& p) { p.use_stream(nothing_to_do).use_stream(nothing_to_do); });
  }));
  CHECK(refused([&] {
    application app;
    auto const build = [&](auto& p) { p.use_stream(nothing_to_do); };
    app.use_memory_stream(script<int>("same"), build).use_memory_stream(script<int>("same"), build);
  }));
  CHECK(refused([&] {
    application app;
    app.use_memory_stream(script<int>(), [&](auto& p) { p.commit({.records = 0}).use_stream(nothing_to_do); });
  }));
  CHECK(refused([&] {
    application app;
    app.use_memory_stream(script<int>(), [&](auto& p) { p.use(nullptr).use_stream(nothing_to_do); });
  }));
  CHECK(refused([] { application app(settings{.name = ""}); }));
  CHECK(refused([] {
    application app;
    testing::run(app.serve());  // no pipeline
  }));
}

TEST_CASE("success commits the end of the data, also when the handler had checkpointed a part", "[framework][application]") {
  for (bool partly : {false, true}) {
    auto store = std::make_shared<memory_state_store>();
    application app(keeping_in(store));
    app.use_memory_stream(script<int>().elements(up_to(10)), [&](auto& pipeline) {
      pipeline.use_stream([&](stream<int> s, stream_context& context) -> task<> {
        while (int* x = co_await s.next())
          if (partly && *x == 4) {
            co_await context.checkpointer().checkpoint();
            CHECK(context.checkpointer().committed() == position(4));
          }
      });
    });
    testing::run(app.serve());
    CHECK(stored(*store) == position(10));
  }
}

TEST_CASE("a failing handler leaves the frontier at the last finished element, and the source resumes exactly there",
          "[framework][application]") {
  for (int fails_at = 1; fails_at <= 7; ++fails_at) {
    auto store = std::make_shared<memory_state_store>();
    std::vector<int> finished;
    bool broken = true;
    application app(keeping_in(store));
    app.use_memory_stream(script<int>().elements({1, 2, 3}).element(4).elements({5, 6, 7}), [&](auto& pipeline) {
      pipeline.use_stream([&](stream<int> s, cancellation) -> task<> {
        while (int* x = co_await s.next()) {
          if (broken && *x == fails_at) throw std::runtime_error("poisoned");
          finished.push_back(*x);
        }
      });
    });
    CHECK_THROWS_WITH(testing::run(app.serve()), "poisoned");
    if (fails_at == 1) CHECK(stored(*store) == std::nullopt);
    else CHECK(stored(*store) == position(static_cast<std::uint64_t>(fails_at) - 1));
    broken = false;
    testing::run(app.serve());
    CHECK(finished == up_to(7));  // none lost, none twice
    CHECK(stored(*store) == position(7));
  }
}

TEST_CASE("through fused stages nothing is lost either: a failure repeats at most what stands in the open chunk",
          "[framework][application]") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    int const total = 40, every = 2 + static_cast<int>(random() % 4);
    script<int> source;
    for (int next = 1; next <= total;) {
      int const size = std::min(total - next + 1, 1 + static_cast<int>(random() % 12));
      std::vector<int> chunk(static_cast<std::size_t>(size));
      std::iota(chunk.begin(), chunk.end(), next);
      next += size;
      source.elements(chunk);
    }
    int const fails_at = 1 + static_cast<int>(random() % total);
    bool const erased = random() % 2 == 0, asks = random() % 2 == 0;
    auto store = std::make_shared<memory_state_store>();
    std::vector<int> finished;
    bool broken = true;
    application app(keeping_in(store));
    app.use_memory_stream(source, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<int> s, stream_context& context) -> task<> {
        stream<int> odd = std::move(s);
        if (erased) odd = std::move(odd) | drop_multiples_of(1000);
        auto chain = std::move(odd) | drop_multiples_of(every);
        while (int* x = co_await chain.next()) {
          if (broken && *x >= fails_at) throw std::runtime_error("poisoned");
          finished.push_back(*x);
          if (asks && *x % 5 == 0) {
            co_await context.checkpointer().checkpoint();
            // Dropped elements right behind it may be done as well, the next one given on is not.
            std::uint64_t const done = context.checkpointer().committed()->offset();
            CHECK(done >= static_cast<std::uint64_t>(*x));
            for (std::uint64_t i = static_cast<std::uint64_t>(*x) + 1; i <= done; ++i) CHECK(i % static_cast<std::uint64_t>(every) == 0);
          }
        }
      });
    });
    bool const failed = [&] {
      try {
        testing::run(app.serve());
      } catch (std::runtime_error const&) {
        return true;
      }
      return false;
    }();
    std::size_t const before = finished.size();
    broken = false;
    testing::run(app.serve());
    std::vector<int> expected;
    for (int i = 1; i <= total; ++i)
      if (i % every != 0) expected.push_back(i);
    // A sequential handler behind stages that hold nothing back repeats nothing.
    CHECK(finished == expected);
    CHECK((failed || before == expected.size()));
    CHECK(stored(*store) == position(total));
  }
}

TEST_CASE("a handler that returns early has not done the rest", "[framework][application]") {
  auto store = std::make_shared<memory_state_store>();
  application app(keeping_in(store));
  std::vector<int> seen;
  app.use_memory_stream(script<int>().elements(up_to(10)), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, cancellation) -> task<> {
      for (int i = 0; i < 4; ++i)
        if (int* x = co_await s.next()) seen.push_back(*x);
    });
  });
  testing::run(app.serve());
  CHECK(stored(*store) == position(4));
  testing::run(app.serve());
  testing::run(app.serve());
  CHECK(seen == up_to(10));
}

TEST_CASE("a worker commits by count and by time, and on a quiet stream too", "[framework][application]") {
  auto store = std::make_shared<memory_state_store>();
  std::vector<std::optional<position>> by_count, by_time;
  {
    application app(keeping_in(store, {.records = 3, .every = 1h}));
    app.use_memory_stream(script<int>().element(1).element(2).element(3).element(4).element(5), [&](auto& pipeline) {
      pipeline.use_stream([&](stream<int> s, stream_context& context) -> task<> {
        while (co_await s.next()) by_count.push_back(context.checkpointer().committed());
      });
    });
    testing::run(app.serve());
    CHECK(by_count == std::vector<std::optional<position>>{std::nullopt, std::nullopt, std::nullopt, position(3), position(3)});
  }
  store = std::make_shared<memory_state_store>();
  application app(keeping_in(store, {.records = 1000, .every = 10s}));
  app.use_memory_stream(script<int>().elements({1, 2}).wait(1min).element(3), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, stream_context& context) -> task<> {
      while (co_await s.next()) by_time.push_back(context.checkpointer().committed());
    });
  });
  testing::run(app.serve());
  CHECK(by_time == std::vector<std::optional<position>>{std::nullopt, std::nullopt, position(2)});
}

TEST_CASE("a drain lets the handler finish what it was given, commits, and goes on from there next time", "[framework][application]") {
  auto store = std::make_shared<memory_state_store>();
  std::vector<int> seen;
  application app(keeping_in(store));
  application* const running = &app;
  bool stopping = true;
  app.use_memory_stream(script<int>().elements({1, 2, 3}).wait(1h).elements({4, 5}), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, stream_context& context) -> task<> {
      while (int* x = co_await s.next()) {
        seen.push_back(*x);
        if (*x == 2 && stopping) running->stop();
      }
      CHECK_FALSE(context.cancellation().requested());
    });
  });
  testing::run(app.serve());
  CHECK(seen == up_to(3));
  CHECK(stored(*store) == position(3));

  application again(keeping_in(store));
  stopping = false;
  again.use_memory_stream(script<int>().elements({1, 2, 3}).elements({4, 5}), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, cancellation) -> task<> {
      while (int* x = co_await s.next()) seen.push_back(*x);
    });
  });
  testing::run(again.serve());
  CHECK(seen == up_to(5));
}

TEST_CASE("a drain that takes too long is cancelled; what was not finished stays undone", "[framework][application]") {
  auto store = std::make_shared<memory_state_store>();
  settings s = keeping_in(store);
  s.drain_timeout = 5s;
  application app(std::move(s));
  application* const running = &app;
  app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> items, cancellation) -> task<> {
      while (int* x = co_await items.next()) {
        if (*x != 2) continue;
        running->stop();
        co_await sleep_for(1h);
      }
    });
  });
  try {
    testing::run(app.serve());
    FAIL("ended well");
  } catch (error const& e) {
    CHECK(e.code() == condition::cancelled);
  }
}

TEST_CASE("one halted partition is loud and leaves the others running", "[framework][application]") {
  auto store = std::make_shared<memory_state_store>();
  std::string log;
  settings s = keeping_in(store);
  s.log = logger(log_level::error, [&](log_level, std::string_view message) { log += message; });
  std::vector<int> seen;
  application app(std::move(s));
  app.use_memory_stream(script<int>().partition("bad").elements({1, 2}).partition("good").wait(1s).elements({3, 4}), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> items, stream_context&) -> task<> {
      while (int* x = co_await items.next()) {
        if (*x == 2) throw std::runtime_error("poisoned");
        seen.push_back(*x);
      }
    });
  });
  CHECK_THROWS_WITH(testing::run(app.serve()), "poisoned");
  CHECK(seen == std::vector<int>{1, 3, 4});
  CHECK(stored(*store, "bad") == position(1));
  CHECK(stored(*store, "good") == position(2));
  CHECK(log.find("partition bad, done up to 1): poisoned") != std::string::npos);
}

TEST_CASE("middleware stands around the handler, the first outermost, and may run it again from the frontier", "[framework][middleware]") {
  std::vector<std::string> order;
  std::vector<int> seen, attempts;
  auto note = [&](std::string name) -> middleware {
    return [&order, name](stream_context&, next_handler next) -> task<> {
      return [](std::vector<std::string>& log, std::string n, next_handler run) -> task<> {
        log.push_back(n + "(");
        co_await run();
        log.push_back(")" + n);
      }(order, name, std::move(next));
    };
  };
  middleware const twice = [](stream_context&, next_handler next) -> task<> {
    return [](next_handler run) -> task<> {
      try {
        co_await run();
        co_return;
      } catch (std::runtime_error const&) {}
      co_await run();
    }(std::move(next));
  };
  application app(keeping_in(nullptr));
  app.use_memory_stream(script<int>().elements(up_to(4)), [&](auto& pipeline) {
    pipeline.use(note("a")).use(twice).use(note("b")).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      attempts.push_back(context.attempt());
      while (int* x = co_await s.next()) {
        if (*x == 3 && context.attempt() == 1) throw std::runtime_error("once");
        seen.push_back(*x);
      }
    });
  });
  testing::run(app.serve());
  CHECK(order == std::vector<std::string>{"a(", "b(", "b(", ")b", ")a"});
  CHECK(attempts == std::vector<int>{1, 2});
  CHECK(seen == up_to(4));
}

TEST_CASE("timing reports each run on the context's clock", "[framework][middleware]") {
  std::vector<std::chrono::nanoseconds> runs;
  application app(keeping_in(nullptr));
  app.use_memory_stream(script<int>().element(1).wait(90s).element(2), [&](auto& pipeline) {
    pipeline
        .use(timing([&](stream_context const&, run_timing run) {
          CHECK(run.succeeded());
          runs.push_back(run.took());
        }))
        .use_stream([](stream<int> s, cancellation) -> task<> {
          while (co_await s.next()) {}
        });
  });
  testing::run(app.serve());
  CHECK(runs == std::vector<std::chrono::nanoseconds>{90s});
}

TEST_CASE("a handler may pull under a timeout, and a drain still reaches the source", "[framework][application]") {
  auto store = std::make_shared<memory_state_store>();
  application app(keeping_in(store));
  application* const running = &app;
  std::vector<int> seen;
  auto pull = [](stream<int>& s) -> task<int*> { co_return co_await s.next(); };
  app.use_memory_stream(script<int>().element(1).wait(1s).element(2).wait(1h).element(3), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, stream_context&) -> task<> {
      for (;;) {
        auto one = pull(s);
        int* x = co_await with_timeout(std::chrono::hours(2), std::move(one));
        if (!x) break;
        seen.push_back(*x);
        if (*x == 2) running->stop();
      }
    });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{1, 2});
  CHECK(stored(*store) == position(2));
}
