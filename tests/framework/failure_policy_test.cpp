#include <weir/failure_policy.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/outside_write.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using test::keeping_in;
using namespace std::chrono_literals;
using test::fails_with;
using testing::script;

namespace {

settings quiet() { return keeping_in(nullptr); }

retry_policy any(unsigned attempts) {
  return retry_policy().attempts(attempts).first_delay(1s).blur(jitter::none).when([](std::exception const&) { return true; });
}

std::optional<position> stored(state_store& store, std::string partition = "0") {
  auto body = [](state_store& s, std::string p) -> task<std::optional<position>> {
    auto const saved = co_await s.load(checkpoint_key("test/memory", "memory", p));
    if (!saved) co_return std::nullopt;
    co_return saved->head.position;
  };
  return testing::run(body(store, std::move(partition)));
}

// Fails for these, and notes the others.
auto all_but(std::set<int> poison, std::vector<int>& seen) {
  return [poison = std::move(poison), &seen](stream<int> s, cancellation) -> task<> {
    while (int* x = co_await s.next()) {
      if (poison.contains(*x)) throw std::runtime_error("poisoned");
      seen.push_back(*x);
    }
  };
}

std::vector<std::string> payloads(std::vector<dead_letter> const& letters) {
  std::vector<std::string> out;
  for (dead_letter const& l : letters) out.push_back(l.payload);
  return out;
}
using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("without a policy a failing handler halts its partition at once", "[framework][failures]") {
  int attempts = 0;
  application app(quiet());
  app.use_memory_stream(script<int>().element(1), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int>, cancellation) -> task<> {
      ++attempts;
      throw error(errc::unavailable, "database: cannot connect");
      co_return;
    });
  });
  CHECK_THROWS_AS(testing::run(app.serve()), error);
  CHECK(attempts == 1);
}

TEST_CASE("a failing handler runs again from the frontier, after the policy's delay", "[framework][failures]") {
  std::vector<int> seen;
  std::vector<instant> starts;
  application app(quiet());
  app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().retry(any(3))).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      starts.push_back(context.clock().now());
      while (int* x = co_await s.next()) {
        if (*x == 2 && context.attempt() < 3) throw std::runtime_error("poisoned");
        seen.push_back(*x);
      }
    });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{1, 2, 3});
  REQUIRE(starts.size() == 3);
  CHECK(starts[1] - starts[0] == 1'000'000'000);
  CHECK(starts[2] - starts[1] == 2'000'000'000);
}

TEST_CASE("a record that fails again and again halts the partition after the last attempt", "[framework][failures]") {
  auto const store = std::make_shared<memory_state_store>();
  int attempts = 0;
  application app(keeping_in(store));
  app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().retry(any(4))).use_stream([&](stream<int> s, stream_context&) -> task<> {
      ++attempts;
      while (int* x = co_await s.next())
        if (*x == 2) throw std::runtime_error("poisoned");
    });
  });
  CHECK_THROWS_WITH(testing::run(app.serve()), "poisoned");
  CHECK(attempts == 4);
  CHECK(stored(*store) == position(1));
}

TEST_CASE("each record has its own attempts", "[framework][failures]") {
  std::vector<int> seen;
  application app(quiet());
  app.use_memory_stream(script<int>().elements({1, 2, 3, 4, 5, 6}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().retry(any(2))).use_stream([&, tried = 0](stream<int> s, stream_context&) mutable -> task<> {
      while (int* x = co_await s.next()) {
        if (tried != *x) {
          tried = *x;
          throw std::runtime_error("first sight");
        }
        seen.push_back(*x);
      }
    });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a failure that is not worth another try halts at once", "[framework][failures]") {
  int attempts = 0;
  application app(quiet());
  app.use_memory_stream(script<int>().element(1), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().retry(retry_policy())).use_stream([&](stream<int>, stream_context&) -> task<> {
      ++attempts;
      throw error(errc::malformed, "tick: cannot decode");
      co_return;
    });
  });
  CHECK_THROWS_AS(testing::run(app.serve()), error);
  CHECK(attempts == 1);
}

TEST_CASE("a drain ends the wait for the next attempt", "[framework][failures]") {
  application app(quiet());
  application* const running = &app;
  instant ended = 0;
  app.use_memory_stream(script<int>("bad").element(1),
                        [&](auto& pipeline) {
                          auto const in_an_hour = any(9).first_delay(1h).cap(1h);
                          pipeline.on_failure(failure_policy().retry(in_an_hour)).use_stream([](stream<int> s, cancellation) -> task<> {
                            while (co_await s.next()) throw std::runtime_error("poisoned");
                          });
                        })
      .use_memory_stream(script<int>("good").wait(5s).element(1), [&](auto& pipeline) {
        pipeline.use_stream([&](stream<int> s, cancellation) -> task<> {
          while (co_await s.next()) running->stop();
        });
      });
  auto serve = [](application& a, instant& end) -> task<> {
    context& own = co_await current_context();
    instant const start = own.clock().now();
    try {
      co_await a.serve();
    } catch (std::runtime_error const&) {
      end = own.clock().now() - start;
    }
  };
  testing::run(serve(app, ended));
  CHECK(ended == 5'000'000'000);
}

TEST_CASE("a record that fails every attempt becomes a dead letter, and the pipeline goes on behind it", "[framework][failures]") {
  std::vector<dead_letter> letters;
  std::vector<int> seen;
  instant began = 0;
  auto const store = std::make_shared<memory_state_store>();
  application app(keeping_in(store));
  app.use_memory_stream(script<int>().elements({1, 2, 3, 4, 5, 6}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().retry(any(3)).dead_letter_to([&](dead_letter const& l) { letters.push_back(l); }))
        .use_stream([&](stream<int> s, stream_context& context) -> task<> {
          if (began == 0) began = context.clock().now();
          while (int* x = co_await s.next()) {
            if (*x == 3) throw error(errc::malformed, "tick: cannot decode", "it has no price");
            seen.push_back(*x);
          }
        });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{1, 2, 4, 5, 6});
  CHECK(stored(*store) == position(6));
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].pipeline == "test/memory");
  CHECK(letters[0].stream == "memory");
  CHECK(letters[0].partition == "0");
  CHECK(letters[0].position == position(3));
  CHECK(letters[0].payload == "3");
  CHECK(letters[0].error == "tick: cannot decode: it has no price");
  CHECK(letters[0].code == "weir:9");  // errc::malformed
  CHECK(letters[0].attempts == 3);
  CHECK(letters[0].died_at - began == 3'000'000'000);  // after 1 s and 2 s
}

TEST_CASE("without retries a record is tried twice: among others, and alone", "[framework][failures]") {
  for (int size : {1, 2, 5}) {
    std::vector<dead_letter> letters;
    std::vector<int> seen;
    int tried = 0;
    script<int> input;
    for (int i = 1; i <= 10; i += size) {
      std::vector<int> chunk;
      for (int k = i; k < i + size; ++k) chunk.push_back(k);
      input.elements(chunk);
    }
    application app(quiet());
    app.use_memory_stream(input, [&](auto& pipeline) {
      pipeline.on_failure(failure_policy().dead_letter_to([&](dead_letter const& l) { letters.push_back(l); }))
          .use_stream([&](stream<int> s, cancellation) -> task<> {
            while (int* x = co_await s.next()) {
              if (*x == 4) {
                ++tried;
                throw std::runtime_error("poisoned");
              }
              seen.push_back(*x);
            }
          });
    });
    testing::run(app.serve());
    CHECK(seen == std::vector<int>{1, 2, 3, 5, 6, 7, 8, 9, 10});
    CHECK(tried == 2);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].attempts == 2);
    CHECK(letters[0].code.empty());
  }
}

TEST_CASE("many records may be dead, the first and the last among them", "[framework][failures]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<dead_letter> const letters(store);
  std::vector<int> seen;
  application app(keeping_in(store));
  app.use_memory_stream(script<int>().elements({1, 2, 3}).element(4).elements({5, 6, 7, 8, 9, 10}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().dead_letter_to(letters)).use_stream(all_but({1, 2, 4, 7, 9, 10}, seen));
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{3, 5, 6, 8});
  CHECK(payloads(letters.rows()) == texts{"1", "2", "4", "7", "9", "10"});
  CHECK(stored(*store) == position(10));
}

TEST_CASE("a failure that passes leaves no dead letter", "[framework][failures]") {
  std::vector<dead_letter> letters;
  std::vector<int> seen;
  application app(quiet());
  app.use_memory_stream(script<int>().elements({1, 2, 3, 4, 5, 6, 7}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().retry(any(3)).dead_letter_to([&](dead_letter const& l) { letters.push_back(l); }))
        .use_stream([&](stream<int> s, stream_context& context) -> task<> {
          while (int* x = co_await s.next()) {
            if (*x == 3 && context.attempt() < 3) throw std::runtime_error("not yet");
            seen.push_back(*x);
          }
        });
  });
  testing::run(app.serve());
  CHECK(letters.empty());
  CHECK(seen == std::vector<int>{1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("too many dead letters in a row halt the partition", "[framework][failures]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<dead_letter> const letters(store);
  std::vector<int> seen;
  application app(keeping_in(store));
  app.use_memory_stream(script<int>().elements({1, 2, 3, 4, 5, 6, 7, 8}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().dead_letter_to(letters).in_a_row(3)).use_stream(all_but({1, 2, 3, 5, 6, 7, 8}, seen));
  });
  fails_with(
      errc::handler_failed, [&] { testing::run(app.serve()); }, "3 records in a row", "poisoned", "position 8", "pipeline test/memory");
  CHECK(seen == std::vector<int>{4});
  CHECK(payloads(letters.rows()) == texts{"1", "2", "3", "5", "6", "7"});
  CHECK(stored(*store) == position(7));
}

TEST_CASE("no record is blamed for a source that fails", "[framework][failures]") {
  std::vector<dead_letter> letters;
  std::vector<int> seen;
  application app(quiet());
  app.use_memory_stream(script<int>().elements({1, 2}).fail("lost").fail("lost again").element(3), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().dead_letter_to([&](dead_letter const& l) { letters.push_back(l); })).use_stream(all_but({}, seen));
  });
  fails_with(errc::unavailable, [&] { testing::run(app.serve()); }, "lost");
  fails_with(errc::unavailable, [&] { testing::run(app.serve()); }, "lost again");
  testing::run(app.serve());
  CHECK(letters.empty());
  CHECK(seen.back() == 3);
}

TEST_CASE("no record is blamed for a handler that fails at its start or at the end of the data", "[framework][failures]") {
  for (bool const at_start : {true, false}) {
    std::vector<dead_letter> letters;
    int attempts = 0;
    application app(quiet());
    app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& pipeline) {
      pipeline.on_failure(failure_policy().retry(any(3)).dead_letter_to([&](dead_letter const& l) { letters.push_back(l); }))
          .use_stream([&](stream<int> s, cancellation) -> task<> {
            ++attempts;
            if (at_start) throw std::runtime_error("cannot connect");
            while (co_await s.next()) {}
            throw std::runtime_error("cannot connect");
          });
    });
    CHECK_THROWS_WITH(testing::run(app.serve()), "cannot connect");
    CHECK(letters.empty());
    CHECK(attempts >= 3);
  }
}

TEST_CASE("a sink that cannot keep a letter halts the partition before the record", "[framework][failures]") {
  auto const store = std::make_shared<memory_state_store>();
  std::vector<int> seen;
  std::vector<dead_letter> letters;
  bool full = true;
  application app(keeping_in(store));
  app.use_memory_stream(script<int>().elements({1, 2, 3, 4}), [&](auto& pipeline) {
    auto const keep = [&](dead_letter const& l) -> task<> {
      co_await sleep_for(1s);
      if (full) throw error(errc::no_space, "letters: cannot write", "the disk is full");
      letters.push_back(l);
    };
    pipeline.on_failure(failure_policy().dead_letter_to(keep)).use_stream(all_but({3}, seen));
  });
  fails_with(
      errc::no_space, [&] { testing::run(app.serve()); }, "dead letter: cannot be kept", "the disk is full", "poisoned", "position 3");
  CHECK(stored(*store) == position(2));
  full = false;
  testing::run(app.serve());
  CHECK(seen == std::vector<int>{1, 2, 4});
  CHECK(payloads(letters) == texts{"3"});
}

TEST_CASE("dead letters of one partition leave the others alone", "[framework][failures]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<dead_letter> const letters(store);
  std::vector<int> seen;
  application app(keeping_in(store));
  app.use_memory_stream(script<int>().partition("a").elements({1, 2}).partition("b").elements({3, 4}), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().retry(any(2)).dead_letter_to(letters)).use_stream(all_but({2}, seen));
  });
  testing::run(app.serve());
  CHECK(std::set<int>(seen.begin(), seen.end()) == std::set<int>{1, 3, 4});
  REQUIRE(letters.rows().size() == 1);
  CHECK(letters.rows()[0].partition == "a");
  CHECK(stored(*store, "a") == position(2));
  CHECK(stored(*store, "b") == position(2));
}

TEST_CASE("dead letters are counted, over restarts too", "[framework][failures]") {
  auto const store = std::make_shared<memory_state_store>();
  ledger books;
  testing::recording_metrics metrics;
  auto const run = [&](int last) {
    std::vector<int> seen, input;
    for (int i = 1; i <= last; ++i) input.push_back(i);
    settings s = keeping_in(store);
    s.metrics = &metrics;
    application app(std::move(s));
    app.use_memory_stream(script<int>().elements(input), [&](auto& pipeline) {
      pipeline.on_failure(failure_policy().dead_letter_to([](dead_letter const&) {}).counted_in(books, "records"))
          .use_stream(all_but({2, 3, 6}, seen));
    });
    testing::run(app.serve());
    tally const counts = books.sum("records");
    CHECK(counts.balanced());
    CHECK(counts.in == counts.dead);
    return counts.dead;
  };
  CHECK(run(4) == 2);
  CHECK(run(5) == 2);
  CHECK(run(7) == 3);
  CHECK(metrics.value("dead_letter_total{pipeline=\"memory\",stream=\"memory\",partition=\"0\"}") == 3);
}

namespace {

struct line {
  std::string text;
  std::uint64_t end;
  std::string_view payload() const { return text; }
  weir::position position() const { return weir::position(end, 7); }
};

class lines final : public source<line> {
public:
  std::string_view name() const noexcept override { return "lines"; }
  std::vector<std::string> partitions() const override { return {"0"}; }
  stream<line> open(std::string, std::optional<position> after) override { return read(after); }

private:
  static stream<line> read(std::optional<position> after) {
    std::vector<line> all{{"a", 10}, {std::string("b\0c", 3), 20}, {"a", 30}};
    if (after) std::erase_if(all, [&](line const& l) { return l.position() <= *after; });
    if (!all.empty()) co_yield std::span<line>(all);
  }
};

}  // namespace

TEST_CASE("a letter has the payload and the position of a record, also when the handler has moved it", "[framework][failures]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<dead_letter> const letters(store);
  application app(keeping_in(store));
  app.use_source(std::make_shared<lines>(), [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().dead_letter_to(letters)).use_stream([](stream<line> s, cancellation) -> task<> {
      while (line* l = co_await s.next()) {
        line const taken = std::move(*l);
        if (taken.text != "a") throw std::runtime_error("not an a");
      }
    });
  });
  testing::run(app.serve());
  REQUIRE(letters.rows().size() == 1);
  CHECK(letters.rows()[0].payload == std::string("b\0c", 3));
  CHECK(letters.rows()[0].position == position(20, 7));
}

TEST_CASE("elements without a payload need a text for their dead letters", "[framework][failures]") {
  struct point {
    int x;
  };
  auto const nothing = [](stream<point> s, cancellation) -> task<> {
    while (co_await s.next()) throw std::runtime_error("no point");
  };
  auto const policy = failure_policy().dead_letter_to([](dead_letter const&) {});
  fails_with(
      errc::invalid_pipeline,
      [&] {
        application app;
        app.use_memory_stream(script<point>(), [&](auto& pipeline) { pipeline.on_failure(policy).use_stream(nothing); });
      },
      "no payload");
  std::vector<dead_letter> letters;
  application app(quiet());
  app.use_memory_stream(script<point>().element(point{17}), [&](auto& pipeline) {
    pipeline
        .on_failure(failure_policy().dead_letter_to([&](dead_letter const& l) { letters.push_back(l); }),
                    [](point const& p) { return "x=" + std::to_string(p.x); })
        .use_stream(nothing);
  });
  testing::run(app.serve());
  CHECK(payloads(letters) == texts{"x=17"});
}

TEST_CASE("a failure policy refuses what cannot work", "[framework][failures]") {
  fails_with(errc::invalid_option, [] { (void)failure_policy().in_a_row(0); });
  fails_with(errc::invalid_option, [] { (void)failure_policy().dead_letter_to(std::shared_ptr<dead_letter_sink>()); });
}

namespace {

// Cannot go on from a checkpoint the second time it has to.
struct reluctant_sink {
  using row_type = int;
  static constexpr std::string_view kind = "reluctant";
  static constexpr guarantee promises = guarantee::at_least_once;
  std::shared_ptr<int> resumed = std::make_shared<int>(0);

  std::shared_ptr<outside_write> write(std::vector<int>) const { return nullptr; }
  task<> resume(checkpoint_key, std::uint64_t) {
    if (++*resumed == 2) throw error(errc::unavailable, "sink: cannot go on");
    co_return;
  }
};

}  // namespace

TEST_CASE("a checkpoint that could not be loaded whole is loaded again for the next attempt", "[framework][failures]") {
  std::vector<int> seen;
  reluctant_sink const sink;
  application app(keeping_in(std::make_shared<memory_state_store>(), 1));
  app.use_memory_stream(script<int>().element(1).element(2).element(3), [&](auto& pipeline) {
    pipeline.use_sink("out", sink)
        .on_failure(failure_policy().retry(any(3)))
        .use_stream([&](stream<int> s, stream_context& context) -> task<> {
          while (int* x = co_await s.next()) {
            if (*x == 3 && context.attempt() == 1) throw std::runtime_error("poisoned");
            seen.push_back(*x);
          }
        });
  });
  testing::run(app.serve());
  CHECK(*sink.resumed == 3);
  CHECK(seen == std::vector<int>{1, 2, 3});
}
