// A pipeline that has a budget of memory holds no more than that, and loses nothing by it. What is held is counted here, not asked for.
#include "framework/outbox_support.hpp"

#include <weir/error.hpp>
#include <weir/memory_table.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/delivery_check.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/forwarding_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::script;

namespace {

constexpr std::size_t size_of_one = 1'000;
constexpr int per_chunk = 16, budget_in_ones = 100, all_of_them = 10 * budget_in_ones;
constexpr std::uint64_t budget = size_of_one * budget_in_ones;

// A thousand numbers, in chunks of 16.
script<int> numbers() {
  script<int> s;
  for (int n = 0; n < all_of_them;) {
    std::vector<int> chunk;
    while (chunk.size() != per_chunk && n != all_of_them) chunk.push_back(++n);
    s.elements(std::move(chunk));
  }
  return s;
}
std::string large_text(int const& x) { return std::to_string(x) + std::string(size_of_one - std::to_string(x).size(), '.'); }
std::vector<std::string> large_texts() {
  std::vector<std::string> all;
  for (int n = 1; n <= all_of_them; ++n) all.push_back(large_text(n));
  return all;
}
std::vector<std::string> payloads(messages const& of) {
  std::vector<std::string> all;
  for (message const& m : of) all.push_back(m.payload);
  return all;
}

// Never by itself.
commit_policy no_commits() {
  commit_policy p;
  p.records = std::numeric_limits<std::uint64_t>::max();
  p.every = std::chrono::hours(1'000'000);
  return p;
}

// Takes a second for each batch.
std::shared_ptr<scripted_sender> slow_sender() {
  return std::make_shared<scripted_sender>([](messages const&) -> task<> { co_await sleep_for(1s); });
}

// Whose commits take ten seconds.
class slow_store final : public forwarding_store {
public:
  using forwarding_store::forwarding_store;
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    co_await sleep_for(10s);
    task<> committing = inside().commit(std::move(key), std::move(update));
    co_await std::move(committing);
  }
};

// The most messages that were sent and not delivered, when all of `numbers()` are sent.
struct sent_slowly {
  std::size_t most = 0;
  std::vector<std::string> delivered;
};
sent_slowly send_with(std::optional<std::uint64_t> limit, outbox_world const& w, std::uint64_t records) {
  sent_slowly out;
  auto const sender = slow_sender();
  std::size_t sent = 0;
  application app(w.with(records));
  app.use_memory_stream(numbers(), [&](auto& pipeline) {
    if (limit) pipeline.memory_budget(*limit);
    pipeline.use_topic("t", topic<int>(sender, large_text)).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) {
        co_await context.send("t", *x);
        out.most = std::max(out.most, ++sent - sender->delivered().size());
      }
    });
  });
  testing::run(app.serve());
  out.delivered = payloads(sender->delivered());
  return out;
}

}  // namespace

TEST_CASE("with a receiver that is slow, no more messages wait than the budget is for and one chunk makes", "[framework][memory]") {
  sent_slowly const free = send_with(std::nullopt, outbox_world(), 100);
  CHECK(free.most > 5 * budget_in_ones);
  for (std::uint64_t const records : {std::uint64_t{10}, std::uint64_t{100}, std::uint64_t{1'000'000}}) {
    CAPTURE(records);
    sent_slowly const bounded = send_with(budget, outbox_world(), records);
    CHECK(bounded.most > budget_in_ones / 2);
    CHECK(bounded.most <= budget_in_ones + per_chunk);
    CHECK(bounded.delivered == large_texts());
  }
}

TEST_CASE("a checkpoint is made as soon as rows take more than the budget, and pulling waits for it", "[framework][memory]") {
  outbox_world const w;
  memory_table<std::string> const table(w.store);
  std::size_t most = 0, written = 0;
  application app(keeping_in(std::make_shared<slow_store>(w.store), no_commits()));
  app.use_memory_stream(numbers(), [&](auto& pipeline) {
    pipeline.memory_budget(budget).use_sink("s", table).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      auto const sink = context.sink<std::string>("s");
      while (int* const x = co_await s.next()) {
        std::string const row = large_text(*x);
        co_await sink.write(row);
        most = std::max(most, ++written - table.rows().size());
      }
    });
  });
  testing::run(app.serve());
  CHECK(most > budget_in_ones / 2);
  CHECK(most <= budget_in_ones + per_chunk);
  CHECK(table.rows() == large_texts());
}

// t     0        5     10
//       batch    stop  it is delivered, and so is what was committed
TEST_CASE("a pipeline that waits for deliveries reads no more when it is drained", "[framework][memory]") {
  outbox_world const w;
  auto const slow = std::make_shared<scripted_sender>([](messages const&) -> task<> { co_await sleep_for(10s); });
  application app(w.with(100));
  std::size_t sent = 0;
  app.use_memory_stream(numbers(), [&](auto& pipeline) {
    pipeline.memory_budget(budget).use_topic("t", topic<int>(slow, large_text)).use_stream([&](stream<int> s, stream_context& c) -> task<> {
      while (int* const x = co_await s.next()) {
        co_await c.send("t", *x);
        ++sent;
      }
    });
  });
  auto const stop_later = [](application& a) -> task<> {
    co_await sleep_for(5s);
    a.stop();
  };
  auto body = [&]() -> task<> {
    task<> running = app.serve(), stopping = stop_later(app);
    auto both = when_all(std::move(running), std::move(stopping));
    co_await std::move(both);
  };
  testing::run(body());
  CHECK(sent <= budget_in_ones + per_chunk);
  CHECK(slow->delivered().size() == sent);
  std::vector<std::string> all = payloads(slow->delivered());
  sent_slowly rest = send_with(budget, w, 100);
  std::ranges::move(rest.delivered, std::back_inserter(all));
  CHECK(all == large_texts());
}

TEST_CASE("a delivery that fails for good halts a pipeline that waits for it", "[framework][memory]") {
  outbox_world const w;
  auto const fails = std::make_shared<scripted_sender>([](messages const&) -> task<> {
    co_await sleep_for(1h);
    throw error(errc::rejected, "test: nobody is there");
  });
  application app(w.with(100));
  app.use_memory_stream(numbers(), [&](auto& pipeline) {
    pipeline.memory_budget(budget).use_topic("t", topic<int>(fails, large_text)).use_stream(send_all);
  });
  fails_with(errc::rejected, [&] { testing::run(app.serve()); }, "topic: cannot deliver", "nobody is there");
  CHECK(send_with(budget, w, 100).delivered == large_texts());
}

TEST_CASE("a budget of nothing is refused", "[framework][memory]") {
  application app;
  fails_with(
      errc::invalid_pipeline, [&] { app.use_memory_stream(numbers(), [](auto& pipeline) { pipeline.memory_budget(0); }); },
      "memory_budget is 0 bytes");
}

TEST_CASE("what waits is a figure, set with each commit", "[framework][memory]") {
  outbox_world const w;
  testing::recording_metrics figures;
  settings s = w.with(100);
  s.metrics = &figures;
  application app(s);
  auto const sender = slow_sender();
  std::optional<double> seen;
  app.use_memory_stream(numbers(), [&](auto& pipeline) {
    pipeline.use_topic("t", topic<int>(sender, large_text)).use_stream([&](stream<int> in, stream_context& context) -> task<> {
      while (int* const x = co_await in.next()) {
        co_await context.send("t", *x);
        if (*x == 300) seen = figures.value("waiting_bytes{pipeline=\"memory\",stream=\"memory\",partition=\"0\"}");
      }
    });
  });
  testing::run(app.serve());
  REQUIRE(seen);
  CHECK(*seen > 200 * size_of_one);
  CHECK(*seen < 400 * size_of_one);
}

// Seven records, and what waits is too much after every other chunk.
TEST_CASE("whatever crashes or fails at the budget, nothing is lost and each message has one effect", "[framework][memory][delivery]") {
  auto const input = script<int>().elements({1, 2}).element(3).elements({4, 5}).element(6).element(7);
  auto const run = [&](std::optional<std::uint64_t> limit) {
    std::uint64_t commits = 0;
    testing::delivery_check check([&, limit](application& app, testing::delivery_trial& trial) {
      app.use_source(trial.source(input), [&](auto& pipeline) {
        if (limit) pipeline.memory_budget(*limit);
        pipeline.use_topic("t", topic<int>(trial.receiver(), digits_of)).use_stream(send_all);
      });
    });
    class counting_store final : public forwarding_store {
    public:
      counting_store(std::shared_ptr<state_store> inside, std::uint64_t& n) noexcept : forwarding_store(std::move(inside)), n_(&n) {}
      task<> commit(checkpoint_key key, checkpoint_update update) override {
        ++*n_;
        return inside().commit(std::move(key), std::move(update));
      }

    private:
      std::uint64_t* n_;
    };
    check.commit(no_commits()).store([&commits](std::shared_ptr<state_store> inside) {
      return std::make_shared<counting_store>(std::move(inside), commits);
    });
    check.expect_list({"1", "2", "3", "4", "5", "6", "7"}).exactly_once();
    auto const uneventful = check.run_only({});
    INFO(uneventful.text());
    CHECK(uneventful.passed());
    std::uint64_t const of_one_run = commits;
    auto const report = check.run();
    INFO(report.text());
    CHECK(report.passed());
    return of_one_run;
  };
  std::uint64_t const without = run(std::nullopt), with = run(64);
  CHECK(with >= without + 3);
}
