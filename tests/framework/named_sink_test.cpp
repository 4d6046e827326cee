// Rows that a handler writes by hand go into the commit of the checkpoint that says that they are done.
#include <weir/named_sink.hpp>

#include <weir/application.hpp>
#include <weir/failure_policy.hpp>
#include <weir/fused_stream.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/stage.hpp>
#include <weir/testing/run.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/forwarding_store.hpp"

#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using testing::script;
using rows = std::vector<int>;

namespace {

rows up_to(int n) {
  rows v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 1);
  return v;
}

struct world {
  std::shared_ptr<memory_state_store> store = std::make_shared<memory_state_store>();
  memory_table<int> out{store};

  settings with(std::uint64_t records, std::shared_ptr<state_store> through = nullptr) const {
    settings s;
    s.name = "test";
    s.checkpoints = through ? std::move(through) : store;
    s.commit.records = records;
    s.log = logger(log_level::error, [](log_level, std::string_view) {});
    return s;
  }
  template <class H> void run(script<int> input, H handler, std::uint64_t records = 100) const {
    application app(with(records));
    app.use_memory_stream(std::move(input), [&](auto& pipeline) { pipeline.use_sink("out", out).use_stream(std::move(handler)); });
    testing::run(app.serve());
  }
};

task<> copy(stream<int> s, stream_context& context) {
  auto const out = context.sink<int>("out");
  while (int* const x = co_await s.next()) co_await out.write(*x);
}

// Passes elements on, three times each.
struct thrice : forwards_marks {
  thrice() noexcept {}
  bool element(int& x, auto t, auto down) {
    bool more = true;
    for (int i = 0; i != 3; ++i) {
      int y = x;
      more = down.element(y, t) && more;
    }
    return more;
  }
};
// With a state, so that only barriers tell how far it is.
struct counted : forwards_marks {
  counted() noexcept {}
  std::string_view state_id() const { return "counted"; }
  bool element(int& x, auto t, auto down) { return down.element(x, t); }
  void save(std::vector<std::byte>& to) const { to.push_back(std::byte(1)); }
  void restore(std::span<std::byte const>) {}
};
template <class Stage> auto stage() { return simple_stage<Stage, unchanged>(Stage()); }

stream<int> one_by_one(stream<int> s) {
  while (int* const x = co_await s.next()) co_yield *x;
}

}  // namespace

TEST_CASE("rows are there with the commit of their elements, and not before", "[framework][sink]") {
  world const w;
  std::vector<std::size_t> seen;
  w.run(
      script<int>().elements({1, 2}).element(3).elements({4, 5, 6}),
      [&](stream<int> s, stream_context& context) -> task<> {
        while (int* const x = co_await s.next()) {
          seen.push_back(w.out.rows().size());
          co_await context.sink<int>("out").write(*x);
        }
      },
      3);
  CHECK(w.out.rows() == up_to(6));
  CHECK(seen == std::vector<std::size_t>{0, 0, 0, 3, 3, 3});
}

TEST_CASE("a handler that fails has written what it finished, once, and nothing of the element in hand", "[framework][sink]") {
  for (int fails_at = 1; fails_at <= 7; ++fails_at) {
    world const w;
    bool broken = true;
    auto const handler = [&](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) {
        co_await context.sink<int>("out").write(*x);
        if (broken && *x == fails_at) throw std::runtime_error("poisoned");
      }
    };
    auto const input = script<int>().elements({1, 2, 3}).element(4).elements({5, 6, 7});
    CHECK_THROWS_WITH(w.run(input, handler), "poisoned");
    CHECK(w.out.rows() == up_to(fails_at - 1));
    broken = false;
    w.run(input, handler);
    CHECK(w.out.rows() == up_to(7));
  }
}

TEST_CASE("an element that came to three is done with the third of them", "[framework][sink]") {
  world const w;
  int given = 0;
  auto const handler = [&](stream<int> s, stream_context& context) -> task<> {
    auto all = std::move(s) | stage<thrice>();
    while (int* const x = co_await all.next()) {
      co_await context.sink<int>("out").write(*x);
      if (++given == 5) throw std::runtime_error("poisoned");
    }
  };
  auto const input = script<int>().elements({1, 2, 3});
  CHECK_THROWS_WITH(w.run(input, handler), "poisoned");
  CHECK(w.out.rows() == rows{1, 1, 1});
  w.run(input, handler);
  CHECK(w.out.rows() == rows{1, 1, 1, 2, 2, 2, 3, 3, 3});
}

TEST_CASE("behind operators with state, and behind generators, barriers tell", "[framework][sink]") {
  for (bool generator : {false, true}) {
    world const w;
    bool broken = true;
    auto const handler = [&](stream<int> s, stream_context& context) -> task<> {
      stream<int> all = std::move(s) | stage<counted>();
      if (generator) all = one_by_one(std::move(all));
      while (int* const x = co_await all.next()) {
        co_await context.sink<int>("out").write(*x);
        if (broken && *x == 6) throw std::runtime_error("poisoned");
      }
    };
    auto const input = script<int>().elements({1, 2}).elements({3, 4}).elements({5, 6, 7}).element(8);
    CHECK_THROWS_WITH(w.run(input, handler, 2), "poisoned");
    CHECK(w.out.rows() == up_to(4));
    broken = false;
    w.run(input, handler, 2);
    CHECK(w.out.rows() == up_to(8));
  }
}

TEST_CASE("a checkpoint that is asked for takes along what was written for the element in hand", "[framework][sink]") {
  world const w;
  w.run(script<int>().elements(up_to(5)), [&](stream<int> s, stream_context& context) -> task<> {
    while (int* const x = co_await s.next()) {
      co_await context.sink<int>("out").write(*x);
      if (*x == 3) {
        co_await context.checkpointer().checkpoint();
        CHECK(w.out.rows() == up_to(3));
      }
    }
  });
  CHECK(w.out.rows() == up_to(5));
}

TEST_CASE("what a handler writes when the data has ended is in the last commit", "[framework][sink]") {
  world const w;
  auto const handler = [](stream<int> s, stream_context& context) -> task<> {
    int sum = 0;
    while (int* const x = co_await s.next()) sum += *x;
    co_await context.sink<int>("out").write(sum);
  };
  w.run(script<int>().elements({1, 2}).elements({3, 4}), handler, 2);
  CHECK(w.out.rows() == rows{10});
  fails_with(errc::misuse, [&] { world().run(script<int>().wait(1s), handler); }, "before there was any record");
}

TEST_CASE("a handler that returns early has written what it took", "[framework][sink]") {
  world const w;
  auto const handler = [](stream<int> s, stream_context& context) -> task<> {
    for (int i = 0; i != 2; ++i)
      if (int* const x = co_await s.next()) co_await context.sink<int>("out").write(*x);
  };
  for (int i = 0; i != 3; ++i) w.run(script<int>().elements({1, 2, 3}).elements({4, 5}), handler);
  CHECK(w.out.rows() == up_to(5));
}

TEST_CASE("a pipeline that is run again within the process writes nothing twice", "[framework][sink]") {
  world const w;
  application app(w.with(100));
  int failures = 0;
  app.use_memory_stream(script<int>().elements({1, 2, 3}).elements({4, 5}), [&](auto& pipeline) {
    pipeline.use_sink("out", w.out)
        .on_failure(failure_policy().retry(retry_policy()))
        .use_stream([&](stream<int> s, stream_context& context) -> task<> {
          while (int* const x = co_await s.next()) {
            co_await context.sink<int>("out").write(*x);
            if ((*x == 2 || *x == 4) && failures++ % 2 == 0) throw error(errc::unavailable, "test: fails");
          }
        });
  });
  testing::run(app.serve());
  CHECK(failures == 4);
  CHECK(w.out.rows() == up_to(5));
}

TEST_CASE("a commit whose answer was lost is offered again as it was, and its rows are there once", "[framework][sink]") {
  class loses_answers final : public test::forwarding_store {
  public:
    using forwarding_store::forwarding_store;
    int commits = 0;
    task<> commit(checkpoint_key key, checkpoint_update update) override {
      co_await inside().commit(std::move(key), std::move(update));
      if (++commits == 2) throw error(errc::timed_out, "test: the answer is lost");
    }
  };
  world const w;
  auto const store = std::make_shared<loses_answers>(w.store);
  application app(w.with(2, store));
  app.use_memory_stream(script<int>().elements({1, 2}).elements({3, 4}).elements({5, 6}),
                        [&](auto& pipeline) { pipeline.use_sink("out", w.out).use_stream(copy); });
  fails_with(errc::timed_out, [&] { testing::run(app.serve()); }, "the answer is lost");
  CHECK(w.out.rows() == up_to(4));
  CHECK(store->commits == 3);  // the third knows that it is the second
  testing::run(app.serve());
  CHECK(w.out.rows() == up_to(6));
}

TEST_CASE("what cannot be a row of a checkpoint is refused", "[framework][sink]") {
  world const w;
  auto const input = script<int>().elements({1, 2}).elements({3, 4});
  fails_with(
      errc::misuse,
      [&] {
        w.run(input, [](stream<int>, stream_context& context) -> task<> {
          (void)context.sink<int>("bars");
          co_return;
        });
      },
      "bars", "it has out", "use_sink");
  fails_with(
      errc::misuse,
      [&] {
        w.run(input, [](stream<int>, stream_context& context) -> task<> {
          (void)context.sink<long>("out");
          co_return;
        });
      },
      "another type");
  fails_with(
      errc::misuse,
      [&] {
        w.run(input, [](stream<int> s, stream_context& context) -> task<> {
          auto const write = [](named_sink<int> out, int x) -> task<> { co_await out.write(x); };
          while (int* const x = co_await s.next()) {
            auto both = when_all(write(context.sink<int>("out"), *x), write(context.sink<int>("out"), *x));
            co_await std::move(both);
          }
        });
      },
      "beside the handler");
  CHECK(w.out.rows().empty());
}

TEST_CASE("sinks are checked when the pipeline is built", "[framework][sink]") {
  world const w;
  auto const built = [&](settings s, auto configure) {
    application app(std::move(s));
    app.use_memory_stream(script<int>("ticks"), [&](auto& pipeline) {
      configure(pipeline);
      pipeline.use_stream(copy);
    });
  };
  fails_with(errc::invalid_pipeline, [&] { built(w.with(1), [&](auto& p) { p.use_sink("", w.out); }); }, "no name");
  fails_with(
      errc::invalid_pipeline, [&] { built(w.with(1), [&](auto& p) { p.use_sink("out", w.out).use_sink("out", w.out); }); },
      "two sinks or topics are called out");
  fails_with(
      errc::invalid_pipeline, [&] { built(w.with(1, std::make_shared<memory_state_store>()), [&](auto& p) { p.use_sink("out", w.out); }); },
      "sink out", "pipeline ticks", "another store");
  fails_with(errc::invalid_pipeline, [&] { built(settings(), [&](auto& p) { p.use_sink("out", w.out); }); }, "which is not set");
  built(w.with(1, std::make_shared<test::forwarding_store>(w.store)), [&](auto& p) { p.use_sink("out", w.out); });  // it passes them on
}
