// Messages of a pipeline: each is delivered, in order and always as the same, wherever the process crashes and whatever fails.
#include <weir/failure_policy.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/retry_policy.hpp>
#include <weir/testing/message_receiver.hpp>
#include <weir/topic.hpp>

#include "properties/delivery_support.hpp"
#include "support/forwarding_store.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::delivery_check;
using testing::delivery_report;
using testing::delivery_trial;
using lines = std::vector<std::string>;

namespace {

std::string as_it_is(std::string const& text) { return text; }
lines ids_twice() {
  lines out;
  for (int id = 0; id != 20; ++id) out.insert(out.end(), 2, std::to_string(id));
  return out;
}
lines ids() {
  lines out;
  for (int id = 0; id != 20; ++id) out.push_back(std::to_string(id));
  return out;
}

struct surroundings {
  std::shared_ptr<int> starts = std::make_shared<int>(0);
  std::shared_ptr<testing::message_receiver> receiver;  // of the trial under way
};

// The payload says which start of the process has made it: a message that was told of before it was certain comes again as another one.
template <class H> delivery_check sending(std::shared_ptr<surroundings> around, H handler, bool again = false) {
  delivery_check check([around, handler, again](application& app, delivery_trial& trial) {
    int const start = ++*around->starts;
    around->receiver = trial.receiver();
    trial.receiver()->effect([](message const& m) { return m.payload.substr(0, m.payload.find(' ')); });
    app.use_source(trial.source(played(happenings())), [&](auto& pipeline) {
      if (again) pipeline.on_failure(failure_policy().retry(retry_policy().blur(jitter::none)));
      pipeline.use_sink("rows", trial.table())
          .use_topic("seen", topic<std::string>(trial.receiver(), as_it_is).retry(retry_policy().blur(jitter::none)))
          .use_stream([handler, start](stream<happening> s, stream_context& c) { return handler(std::move(s), c, start); });
    });
  });
  check.exactly_once();
  return check;
}
task<> send_each(stream<std::string> s, stream_context& context, int start) {
  while (std::string const* const id = co_await s.next()) {
    std::string const payload = *id + " made by start " + std::to_string(start);
    co_await context.send("seen", payload);
  }
}
task<> send_ids(stream<happening> s, stream_context& context, int start) {
  stream<std::string> all = std::move(s) | map([](happening const& h) { return std::to_string(h.id); });
  co_await send_each(std::move(all), context, start);
}
void check_sent(delivery_report const& report) {
  INFO(report.text());
  CHECK(report.passed());
  CHECK(report.trials > 150);
  CHECK(report.commits > 3);
  CHECK(report.writes > 2);
}

}  // namespace

TEST_CASE("messages: by hand, with checkpoints that are asked for, together with rows", "[properties][delivery][outbox]") {
  check_sent(sending(std::make_shared<surroundings>(),
                     [](stream<happening> s, stream_context& context, int start) -> task<> {
                       while (happening* const h = co_await s.next()) {
                         std::string const id = std::to_string(h->id), payload = id + " made by start " + std::to_string(start);
                         co_await context.send("seen", payload);
                         co_await context.sink<std::string>("rows").write(id);
                         if (h->id % 7 == 3) co_await context.checkpointer().checkpoint();
                       }
                     })
                 .expect_list(ids_twice())
                 .run());
}

TEST_CASE("messages: behind operators that run ahead or have state", "[properties][delivery][outbox]") {
  check_sent(sending(std::make_shared<surroundings>(),
                     [](stream<happening> s, stream_context& context, int start) -> task<> {
                       stream<std::string> all = std::move(s) | scan(-1, [](int& n, happening const&) { ++n; }) |
                                                 map([](int n) { return std::to_string(n); }) | prefetch(3);
                       co_await send_each(std::move(all), context, start);
                     })
                 .expect_list(ids())
                 .run());
}

TEST_CASE("messages: of windows that are open at the end of the data", "[properties][delivery][outbox]") {
  // By 10 from 0 to 60, of either key; what is late (4, 2) is dropped, and what it is late for depends on no crash.
  check_sent(sending(std::make_shared<surroundings>(),
                     [](stream<happening> s, stream_context& context, int start) -> task<> {
                       stream<std::string> all =
                           std::move(s) | in_time() | key_by(&happening::key) | tumbling_window(10ns, late::drop()) | aggregate(count()) |
                           map([](auto const& r) { return std::to_string(r.key) + "/" + std::to_string(r.window.start); });
                       co_await send_each(std::move(all), context, start);
                     })
                 .expect_list({"0/0", "0/10", "0/20", "0/30", "0/40", "1/0", "1/10", "1/20", "1/30", "1/40", "1/60"})
                 .run());
}

TEST_CASE("messages: the handler is run again within the process", "[properties][delivery][outbox]") {
  check_sent(sending(std::make_shared<surroundings>(), send_ids, true).expect_list(ids()).run());
}

TEST_CASE("messages: every partition for itself", "[properties][delivery][outbox]") {
  delivery_check check([](application& app, delivery_trial& trial) {
    auto const input =
        testing::script<int>().partition("a").elements({1, 2}).element(3).element(4).partition("b").element(5).elements({6, 7});
    app.use_source(trial.source(input), [&](auto& pipeline) {
      auto const text = [](int const& x) { return std::to_string(x); };
      pipeline.use_topic("seen", topic<int>(trial.receiver(), text).retry(retry_policy().blur(jitter::none)))
          .use_stream([](stream<int> s, stream_context& context) -> task<> {
            while (int* const x = co_await s.next()) co_await context.send("seen", *x);
          });
    });
  });
  check_sent(check.exactly_once().expect_list({"1", "2", "3", "4", "5", "6", "7"}).run());
}

// From here on: what it finds. Each store is wrong on purpose.

namespace {

bool is_message(state_entry const& e) { return e.operator_id == "(outbox)" && !e.key.ends_with('/'); }

delivery_report found_with(std::function<std::shared_ptr<state_store>(std::shared_ptr<state_store>, std::shared_ptr<surroundings>)> wrong) {
  auto const around = std::make_shared<surroundings>();
  delivery_report const report =
      sending(around, send_ids).expect_list(ids()).store([around, wrong](auto inside) { return wrong(inside, around); }).run();
  INFO(report.text());
  CHECK_FALSE(report.passed());
  return report;
}

// Tells of messages before they are in the store.
class early final : public forwarding_store {
public:
  early(std::shared_ptr<state_store> inside, std::shared_ptr<surroundings> around)
      : forwarding_store(std::move(inside)), around_(std::move(around)) {}
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    std::vector<message> batch;
    for (state_change const& c : update.changes) {
      if (c.kind != state_change_kind::put || !is_message(c.entry)) continue;
      std::string payload(reinterpret_cast<char const*>(c.entry.value.data()), c.entry.value.size());
      std::uint64_t const number = std::stoull(c.entry.key.substr(c.entry.key.size() - 20));
      batch.emplace_back(key.pipeline, key.stream, key.partition, "seen", number, std::move(payload));
    }
    task<> telling = around_->receiver->send(std::move(batch));
    co_await std::move(telling);
    co_await inside().commit(std::move(key), std::move(update));
  }

private:
  std::shared_ptr<surroundings> around_;
};

// Does not know of messages, or of their numbers, after a restart.
class forgetful final : public forwarding_store {
public:
  forgetful(std::shared_ptr<state_store> inside, bool numbers) : forwarding_store(std::move(inside)), numbers_(numbers) {}
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override {
    auto saved = co_await inside().load(std::move(key));
    if (saved)
      std::erase_if(saved->entries, [this](state_entry const& e) { return e.operator_id == "(outbox)" && is_message(e) != numbers_; });
    co_return saved;
  }

private:
  bool numbers_;
};

// Messages are no part of the transaction.
class apart final : public forwarding_store {
public:
  using forwarding_store::forwarding_store;
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    std::erase_if(update.changes, [](state_change const& c) { return is_message(c.entry); });
    return forwarding_store::commit(std::move(key), std::move(update));
  }
};

}  // namespace

TEST_CASE("found: messages that are delivered before the commit", "[properties][delivery][outbox]") {
  CHECK_FALSE(found_with([](auto inside, auto around) { return std::make_shared<early>(inside, around); }).conflicts.empty());
}

TEST_CASE("found: messages that are forgotten at a restart", "[properties][delivery][outbox]") {
  CHECK_FALSE(found_with([](auto inside, auto) { return std::make_shared<forgetful>(inside, false); }).lost.empty());
}

TEST_CASE("found: numbers that are forgotten at a restart", "[properties][delivery][outbox]") {
  CHECK_FALSE(found_with([](auto inside, auto) { return std::make_shared<forgetful>(inside, true); }).conflicts.empty());
}

TEST_CASE("found: messages that are no part of the transaction", "[properties][delivery][outbox]") {
  CHECK_FALSE(found_with([](auto inside, auto) { return std::make_shared<apart>(inside); }).lost.empty());
}
