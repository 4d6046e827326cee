// What an application tells of its partitions: figures, with each commit and at the end, and once a second where it is watched.
#include <weir/application.hpp>

#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/forwarding_store.hpp"
#include "support/keeping_in.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::script;

namespace {

std::string labelled(std::string const& name, std::string const& partition = "0") {
  return name + "{pipeline=\"memory\",stream=\"memory\",partition=\"" + partition + "\"}";
}

// Whose commits take two seconds.
class slow_store final : public forwarding_store {
public:
  slow_store() : forwarding_store(std::make_shared<memory_state_store>()) {}
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    co_await sleep_for(2s);
    task<> committing = inside().commit(std::move(key), std::move(update));
    co_await std::move(committing);
  }
};

settings telling(testing::recording_metrics& to, std::shared_ptr<state_store> store, std::uint64_t records) {
  settings s = keeping_in(std::move(store), records);
  s.metrics = &to;
  return s;
}
// Takes a second for each element.
task<> take_a_second_each(stream<int> s, cancellation) {
  while (int* const x = co_await s.next()) {
    CHECK(*x != 0);
    co_await sleep_for(1s);
  }
}

}  // namespace

// Two chunks: 3 s and 2 s in the handler. A checkpoint behind each, 2 s each; the one at the end of the data has nothing more to say.
TEST_CASE("records, and how long the handler and commits took, are told with each commit", "[framework][metrics]") {
  testing::recording_metrics figures;
  application app(telling(figures, std::make_shared<slow_store>(), 2));
  app.use_memory_stream(script<int>().elements({1, 2, 3}).elements({4, 5}), [](auto& p) { p.use_stream(take_a_second_each); });
  testing::run(app.serve());
  CHECK(figures.value(labelled("records_total")) == 5);
  CHECK(figures.value(labelled("frontier_gap")) == 0);
  CHECK(figures.value(labelled("lag_records")) == 0);
  CHECK(figures.value(labelled("checkpoint_age_seconds")) == 0);
  distribution const chunks = figures.observed(labelled("handler_chunk_seconds"));
  CHECK(chunks.total() == 2);
  CHECK(chunks.sum() == 5);
  distribution const commits = figures.observed(labelled("commit_seconds"));
  CHECK(commits.total() == 2);
  CHECK(commits.sum() == 4);
}

TEST_CASE("a handler that fails leaves in the figures what a crash would repeat, and what was not read", "[framework][metrics]") {
  testing::recording_metrics figures;
  application app(telling(figures, std::make_shared<memory_state_store>(), 1));
  app.use_memory_stream(script<int>().elements({1, 2, 3, 4}).elements({5, 6}), [](auto& p) {
    p.use_stream([](stream<int> s, cancellation) -> task<> {
      while (int* const x = co_await s.next())
        if (*x == 3) throw std::runtime_error("poisoned");
    });
  });
  CHECK_THROWS(testing::run(app.serve()));
  CHECK(figures.value(labelled("records_total")) == 4);
  CHECK(figures.value(labelled("lag_records")) == 2);
  CHECK(figures.value(labelled("frontier_gap")) == 4);  // by the chunk: that 1 and 2 are committed is not in it
}

// s   0      1           10          14
//     |1 2 3 |handler...             (watched)
TEST_CASE("where it is watched, it is told every second what takes how long", "[framework][metrics]") {
  testing::recording_metrics figures;
  settings s = telling(figures, std::make_shared<memory_state_store>(), 1'000);
  s.stall_after = 1h;
  std::vector<double> stalled, age, gap;
  application app(std::move(s));
  app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& p) {
    p.use_stream([&](stream<int> in, cancellation) -> task<> {
      while (co_await in.next()) {
        co_await sleep_for(10s + 1ms);
        stalled.push_back(figures.value(labelled("stall_seconds")).value());
        age.push_back(figures.value(labelled("checkpoint_age_seconds")).value());
        gap.push_back(figures.value(labelled("frontier_gap")).value());
      }
    });
  });
  testing::run(app.serve());
  CHECK(stalled == std::vector<double>{10, 20, 30});  // of one chunk, nothing has moved
  CHECK(age == std::vector<double>{10, 20, 30});
  CHECK(gap == std::vector<double>{3, 3, 3});
  CHECK(figures.value(labelled("records_total")) == 3);
}

TEST_CASE("a partition is idle when the source says that it has nothing, until it has", "[framework][metrics]") {
  testing::recording_metrics figures;
  settings s = telling(figures, std::make_shared<memory_state_store>(), 1);
  s.stall_after = 1h;
  std::vector<double> idle;
  application app(std::move(s));
  app.use_memory_stream(
      script<int>().partition("a").element(1).quiet(5s).element(2).partition("b").wait(3500ms).element(3).wait(5s).element(4),
      [&](auto& p) {
        p.use_stream([&](stream<int> in, cancellation) -> task<> {
          while (int* const x = co_await in.next())
            if (*x == 3 || *x == 4) idle.push_back(figures.value(labelled("idle", "a")).value());
        });
      });
  testing::run(app.serve());
  CHECK(idle == std::vector<double>{1, 0});
}

TEST_CASE("a handler that takes too long is stalled until it goes on; both are said once", "[framework][application]") {
  std::vector<std::string> said;
  settings s = keeping_in(std::make_shared<memory_state_store>());
  s.log = logger(log_level::info, [&](log_level, std::string_view m) { said.emplace_back(m); });
  s.stall_after = 10s;
  application app(std::move(s));
  app.use_memory_stream(script<int>().element(1).element(2).wait(100s), [](auto& p) {
    p.use_stream([](stream<int> in, cancellation) -> task<> {
      while (int* const x = co_await in.next())
        if (*x == 2) co_await sleep_for(60s);
    });
  });
  testing::run(app.serve());
  std::vector<std::string> about;
  for (std::string const& m : said)
    if (m.find("stalled") != std::string::npos) about.push_back(m);
  REQUIRE(about.size() == 2);
  CHECK(about[0].find("application: a partition is stalled: pipeline memory, partition 0: handling for 11 s, 2 records taken") == 0);
  CHECK(about[0].find("the handler has what it was given") != std::string::npos);
  CHECK(about[1].find("application: a partition is no longer stalled") == 0);
}

TEST_CASE("a commit that does not return is a stall of its own; a quiet source is none", "[framework][application]") {
  std::vector<std::string> said;
  settings s = keeping_in(std::make_shared<slow_store>(), 1);
  s.log = logger(log_level::warning, [&](log_level, std::string_view m) { said.emplace_back(m); });
  s.stall_after = 500ms;
  application app(std::move(s));
  app.use_memory_stream(script<int>().wait(100s).element(1), [](auto& p) { p.use_stream(take_a_second_each); });
  testing::run(app.serve());
  std::string all;
  for (std::string const& m : said) all += m + "\n";
  INFO(all);
  CHECK(all.find("committing for") != std::string::npos);
  CHECK(all.find("reading for") == std::string::npos);
}

TEST_CASE("a drain that takes too long says which partitions are unfinished, and how many records of them", "[framework][application]") {
  std::string said;
  settings s = keeping_in(std::make_shared<memory_state_store>());
  s.log = logger(log_level::error, [&](log_level, std::string_view m) { (said += m) += "\n"; });
  s.drain_timeout = 5s;
  application app(std::move(s));
  application* const running = &app;
  app.use_memory_stream(script<int>().partition("stuck").elements({1, 2, 3}).partition("fine").element(9).wait(1h), [&](auto& p) {
    p.use_stream([&](stream<int> in, cancellation) -> task<> {
      while (int* const x = co_await in.next()) {
        if (*x != 2) continue;
        running->stop();
        co_await sleep_for(std::chrono::hours(100'000));
      }
    });
  });
  CHECK_THROWS(testing::run(app.serve()));
  INFO(said);
  CHECK(said.find("drain timed out") != std::string::npos);
  CHECK(said.find("a partition is unfinished (pipeline memory, partition stuck, done up to nothing): 3 records") != std::string::npos);
  CHECK(said.find("partition fine") == std::string::npos);
}

TEST_CASE("a handler that is cancelled and does not end is given up: the run ends with its exit code", "[framework][application]") {
  std::string said;
  settings s = keeping_in(std::make_shared<memory_state_store>());
  s.log = logger(log_level::error, [&](log_level, std::string_view m) { (said += m) += "\n"; });
  s.drain_timeout = s.cancel_timeout = 1ms;
  application app(std::move(s));
  application* const running = &app;
  app.use_memory_stream(script<int>().elements({1, 2, 3}), [&](auto& p) {
    p.use_stream([&](stream<int> in, cancellation) -> task<> {
      co_await in.next();
      running->stop();
      for (;;) {
        try {
          co_await sleep_for(1ms);
        } catch (error const& e) {
          CHECK(e.code() == condition::cancelled);
        }
        co_await reschedule();
      }
    });
  });
  CHECK(app.run() == application::exit_unfinished);
  INFO(said);
  CHECK(said.find("what was cancelled does not end") != std::string::npos);
  CHECK(said.find("partition 0") != std::string::npos);
}
