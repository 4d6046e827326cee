// Messages are a part of the checkpoint, and are delivered from there.
#include "framework/outbox_support.hpp"

#include <weir/codec.hpp>
#include <weir/error.hpp>
#include <weir/failure_policy.hpp>
#include <weir/fused_stream.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>
#include <weir/stage.hpp>
#include <weir/testing/crash.hpp>
#include <weir/testing/simulation.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/forwarding_store.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::script;

namespace {

task<> at_once(messages const&) { co_return; }
task<> crash_now(messages const&) { co_await testing::crash(); }
task<> pause_for(std::chrono::nanoseconds d) { co_await sleep_for(d); }

script<int> seven() { return script<int>().elements({1, 2, 3}).element(4).elements({5, 6, 7}); }
// None left but the counter.
texts const empty{"t/"};

}  // namespace

TEST_CASE("a message has an identity, and is delivered when the store has it, in order", "[framework][outbox]") {
  outbox_world const w;
  std::size_t looked = 0;
  auto const sender = std::make_shared<scripted_sender>([&](messages const& batch) -> task<> {
    auto const saved = co_await w.store->load(checkpoint_key("test/memory", "memory", "0"));
    for (message const& m : batch) {
      std::string const key = "t/0000000000000000000" + std::to_string(m.number);
      for (state_entry const& e : saved->entries)
        if (e.key == key && decode_state<int>(e.value) == static_cast<int>(m.number)) ++looked;
    }
  });
  w.run(seven(), topic<int>(sender), 3);
  CHECK(looked == 7);
  REQUIRE(sender->delivered().size() == 7);
  for (int n = 1; n <= 7; ++n) {
    message const& m = sender->delivered()[static_cast<std::size_t>(n - 1)];
    CHECK(m == message("test/memory", "memory", "0", "t", static_cast<std::uint64_t>(n), m.payload));
    CHECK(decode_state<int>(std::as_bytes(std::span(m.payload))) == n);
  }
  CHECK(w.kept() == empty);
}

TEST_CASE("a crash between commit and delivery loses nothing: a restart delivers what the checkpoint has first", "[framework][outbox]") {
  outbox_world const w;
  auto const lost = std::make_shared<scripted_sender>(crash_now);
  CHECK_THROWS_AS(w.run(seven(), topic<int>(lost, digits_of)), testing::crashed);
  CHECK_FALSE(w.kept().empty());
  auto const sender = std::make_shared<scripted_sender>(at_once);
  w.run(seven(), topic<int>(sender, digits_of));
  CHECK(sender->delivered() == numbered(1, 7));
  CHECK(w.kept() == empty);
  w.run(seven().element(8), topic<int>(sender, digits_of));
  CHECK(sender->delivered() == numbered(1, 8));
}

TEST_CASE("a crash between delivery and erasure delivers again, with the same identity", "[framework][outbox]") {
  outbox_world const w;
  memory_sender before;
  auto const takes = std::make_shared<scripted_sender>([&](messages const& batch) -> task<> {
    task<> taking = before.send(batch);
    co_await std::move(taking);
    co_await testing::crash();
  });
  CHECK_THROWS_AS(w.run(seven(), topic<int>(takes, digits_of)), testing::crashed);
  auto const n = static_cast<int>(before.messages().size());
  REQUIRE(n > 0);
  CHECK(before.messages() == numbered(1, n));
  auto const sender = std::make_shared<scripted_sender>(at_once);
  w.run(seven(), topic<int>(sender, digits_of));
  CHECK(sender->delivered() == numbered(1, 7));
}

// t         0   1   3
// tries     x   x   ok        1 s, then 2 s
TEST_CASE("a delivery that fails is tried again as the topic says", "[framework][outbox]") {
  outbox_world const w;
  std::vector<instant> tried;
  auto const sender = std::make_shared<scripted_sender>([&](messages const&) -> task<> {
    context const& own = co_await current_context();
    tried.push_back(own.clock().now());
    if (tried.size() < 3) throw error(errc::unavailable, "test: nobody answers");
  });
  auto const t = topic<int>(sender, digits_of).retry(retry_policy().attempts(3).first_delay(1s).blur(jitter::none));
  w.run(script<int>().elements({1, 2}), t);
  REQUIRE(tried.size() == 3);
  CHECK(tried[1] - tried[0] == 1'000'000'000);
  CHECK(tried[2] - tried[0] == 3'000'000'000);
  CHECK(sender->delivered() == numbered(1, 2));
}

TEST_CASE("a delivery that fails for good halts the partition, and its messages stay", "[framework][outbox]") {
  outbox_world const w;
  auto const fails = std::make_shared<scripted_sender>([](messages const&) -> task<> {
    throw error(errc::unavailable, "test: nobody answers");
    co_return;
  });
  auto const t = topic<int>(fails, digits_of).retry(retry_policy().attempts(2).blur(jitter::none));
  auto const input = script<int>().elements({1, 2}).wait(1h).element(3);
  fails_with(
      errc::unavailable, [&] { w.run(input, t); }, "topic: cannot deliver", "topic t, message 1 to 2", "after 2 tries", "partition 0",
      "pipeline test/memory", "nobody answers", "outbox");
  CHECK(w.kept() == texts{"t/", "t/00000000000000000001", "t/00000000000000000002"});
  auto const refuses = std::make_shared<scripted_sender>([](messages const&) -> task<> {
    throw std::runtime_error("no std::system_error");
    co_return;
  });
  fails_with(errc::io, [&] { w.run(input, topic<int>(refuses, digits_of)); }, "after 1 try", "no std::system_error");
  auto const sender = std::make_shared<scripted_sender>(at_once);
  w.run(input, topic<int>(sender, digits_of));
  CHECK(sender->delivered() == numbered(1, 3));
}

// t          0   1   2        10  11       20  21       30
// comes      1   2   3            4            5
// sent       1   2            3            4            5     two may wait
// delivered                   1            2            3
TEST_CASE("a message waits while as many as the topic allows wait to be delivered", "[framework][outbox]") {
  outbox_world const w;
  auto const slow = std::make_shared<scripted_sender>([](messages const&) { return pause_for(10s); });
  std::vector<instant> sent;
  application app(w.with(1));
  auto const input = script<int>().element(1).wait(1s).element(2).wait(1s).element(3).wait(1s).element(4).wait(1s).element(5);
  app.use_memory_stream(input, [&](auto& pipeline) {
    pipeline.use_topic("t", topic<int>(slow, digits_of).at_most(2)).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) {
        co_await context.send("t", *x);
        sent.push_back(context.clock().now());
      }
    });
  });
  testing::run(app.serve());
  REQUIRE(sent.size() == 5);
  instant const began = sent.front();
  for (instant& at : sent) at = (at - began) / 1'000'000'000;
  CHECK(sent == std::vector<instant>{0, 1, 10, 20, 30});
  CHECK(slow->delivered() == numbered(1, 5));
}

TEST_CASE("messages that no checkpoint has cannot block each other: they ask for a checkpoint", "[framework][outbox]") {
  class counting final : public forwarding_store {
  public:
    using forwarding_store::forwarding_store;
    int commits = 0;
    task<> commit(checkpoint_key key, checkpoint_update update) override {
      ++commits;
      return forwarding_store::commit(std::move(key), std::move(update));
    }
  };
  outbox_world const w;
  auto const store = std::make_shared<counting>(w.store);
  auto const sender = std::make_shared<memory_sender>();
  application app(w.with(1000, store));
  int n = 0;
  app.use_memory_stream(script<int>().element(3).wait(1s).element(1).wait(1s).element(1).wait(1s).element(1), [&](auto& pipeline) {
    pipeline.use_topic("t", topic<int>(sender, digits_of).at_most(2)).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) {
        for (int i = 0; i != *x; ++i) {
          ++n;
          co_await context.send("t", n);
        }
      }
    });
  });
  testing::run(app.serve());
  CHECK(sender->messages() == numbered(1, 6));
  CHECK(store->commits >= 3);  // behind 3, behind 1 and 1, at the end
}

TEST_CASE("a drain delivers all there is", "[framework][outbox]") {
  outbox_world const w;
  auto const slow = std::make_shared<scripted_sender>([](messages const&) { return pause_for(3s); });
  application app(w.with(1));
  app.use_memory_stream(script<int>().element(1).wait(1s).element(2).wait(1s).element(3).wait(1h).element(4), [&](auto& pipeline) {
    pipeline.use_topic("t", topic<int>(slow, digits_of)).use_stream([&](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) {
        int const n = *x;
        co_await context.send("t", n);
        if (n == 3) app.stop();
      }
    });
  });
  testing::run(app.serve());
  CHECK(slow->delivered() == numbered(1, 3));
  CHECK(w.kept() == empty);
}

TEST_CASE("a drain that takes too long leaves in the outbox what is not delivered", "[framework][outbox]") {
  outbox_world const w;
  auto const stuck = std::make_shared<scripted_sender>([](messages const&) { return pause_for(24h); });
  settings s = w.with(1);
  s.drain_timeout = 5s;
  application app(std::move(s));
  app.use_memory_stream(script<int>().element(1).wait(1s).element(2).wait(1s).element(3), [&](auto& pipeline) {
    pipeline.use_topic("t", topic<int>(stuck, digits_of).at_most(2)).use_stream([&](stream<int> in, stream_context& context) -> task<> {
      while (int* const x = co_await in.next()) {
        int const n = *x;
        if (n == 3) app.stop();
        co_await context.send("t", n);
      }
    });
  });
  fails_with(errc::cancelled, [&] { testing::run(app.serve()); });
  CHECK(w.kept() == texts{"t/", "t/00000000000000000001", "t/00000000000000000002"});
  auto const sender = std::make_shared<scripted_sender>(at_once);
  w.run(script<int>().element(1).element(2).element(3), topic<int>(sender, digits_of));
  CHECK(sender->delivered() == numbered(1, 3));
}

TEST_CASE("what was delivered is erased while the stream is quiet", "[framework][outbox]") {
  outbox_world const w;
  auto const sender = std::make_shared<memory_sender>();
  settings s = w.with(1000);
  s.commit.every = 1s;
  application app(std::move(s));
  texts meanwhile;
  app.use_memory_stream(script<int>().elements({1, 2}).wait(10s).element(3), [&](auto& pipeline) {
    pipeline.use_topic("t", topic<int>(sender, digits_of)).use_stream([&](stream<int> in, stream_context& context) -> task<> {
      while (int* const x = co_await in.next()) {
        if (*x == 3) meanwhile = co_await outbox_world::kept(w.store, "0");
        co_await context.send("t", *x);
      }
    });
  });
  testing::run(app.serve());
  CHECK(meanwhile == empty);
  CHECK(sender->messages() == numbered(1, 3));
}

TEST_CASE("each partition and each topic has numbers of its own", "[framework][outbox]") {
  outbox_world const w;
  auto const sender = std::make_shared<memory_sender>();
  application app(w.with(2));
  app.use_memory_stream(script<int>().partition("a").elements({1, 2}).element(3).partition("b").elements({4, 5}), [&](auto& pipeline) {
    pipeline.use_topic("odd", topic<int>(sender, digits_of))
        .use_topic("even", topic<int>(sender, digits_of))
        .use_stream([](stream<int> s, stream_context& context) -> task<> {
          while (int* const x = co_await s.next()) {
            char const* const to = *x % 2 == 0 ? "even" : "odd";
            co_await context.send(to, *x);
          }
        });
  });
  testing::run(app.serve());
  texts got;
  for (message const& m : sender->messages())
    got.push_back(m.partition + " " + m.topic + " " + std::to_string(m.number) + ": " + m.payload);
  std::ranges::sort(got);
  CHECK(got == texts{"a even 1: 2", "a odd 1: 1", "a odd 2: 3", "b even 1: 4", "b odd 1: 5"});
  CHECK(w.kept("a") == texts{"even/", "odd/"});
}

TEST_CASE("what a handler sends for an element it does not finish is not sent, and takes no number", "[framework][outbox]") {
  outbox_world const w;
  auto const sender = std::make_shared<memory_sender>();
  application app(w.with(100));
  int failures = 0;
  app.use_memory_stream(seven(), [&](auto& pipeline) {
    pipeline.use_topic("t", topic<int>(sender, digits_of))
        .on_failure(failure_policy().retry(retry_policy()))
        .use_stream([&](stream<int> s, stream_context& context) -> task<> {
          while (int* const x = co_await s.next()) {
            co_await context.send("t", *x);
            if ((*x == 2 || *x == 4) && failures++ % 2 == 0) throw error(errc::unavailable, "test: fails");
          }
        });
  });
  testing::run(app.serve());
  CHECK(failures == 4);
  CHECK(sender->messages() == numbered(1, 7));
}
