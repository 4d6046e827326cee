// How topics are declared and named, and what is refused.
#include <weir/topic.hpp>

#include "framework/outbox_support.hpp"

#include <weir/error.hpp>
#include <weir/memory_table.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::script;

namespace {

auto sender() { return std::make_shared<memory_sender>(); }
topic<int> numbers() { return topic<int>(sender(), digits_of); }

template <class H> void run_with(H handler, script<int> const& input = script<int>().elements({1, 2}).elements({3, 4})) {
  outbox_world const w;
  memory_table<int> const table(w.store);
  application app(w.with(100));
  app.use_memory_stream(input, [&](auto& pipeline) { pipeline.use_topic("t", numbers()).use_sink("s", table).use_stream(handler); });
  testing::run(app.serve());
}

}  // namespace

TEST_CASE("what cannot be sent is refused", "[framework][outbox]") {
  fails_with(
      errc::misuse,
      [] {
        run_with([](stream<int>, stream_context& context) -> task<> {
          int const x = 1;
          co_await context.send("bars", x);
        });
      },
      "topic: cannot send", "bars", "it has t", "use_topic");
  fails_with(
      errc::misuse,
      [] {
        run_with([](stream<int>, stream_context& context) -> task<> {
          long const x = 1;
          co_await context.send("t", x);
        });
      },
      "another type", "use_topic(\"t\"");
  fails_with(
      errc::misuse,
      [] {
        run_with([](stream<int>, stream_context& context) -> task<> {
          (void)context.sink<int>("t");
          co_return;
        });
      },
      "sink: cannot be used", "it has s");
  fails_with(
      errc::misuse,
      [] {
        run_with([](stream<int> s, stream_context& context) -> task<> {
          auto const send = [](stream_context& c, int x) -> task<> { co_await c.send("t", x); };
          while (int* const x = co_await s.next()) {
            auto both = when_all(send(context, *x), send(context, *x));
            co_await std::move(both);
          }
        });
      },
      "beside the handler");
  fails_with(
      errc::misuse,
      [] {
        run_with(
            [](stream<int> s, stream_context& context) -> task<> {
              while (co_await s.next()) {}
              int const x = 1;
              co_await context.send("t", x);
            },
            script<int>().wait(1s));
      },
      "before there was any record");
}

TEST_CASE("what a topic's function for payloads throws, the handler gets", "[framework][outbox]") {
  outbox_world const w;
  auto const picky = [](int const& x) -> std::string {
    if (x == 2) throw std::runtime_error("no payload for 2");
    return std::to_string(x);
  };
  auto const to = sender();
  CHECK_THROWS_WITH(w.run(script<int>().elements({1, 2, 3}), topic<int>(to, picky)), "no payload for 2");
  w.run(script<int>().elements({1, 2, 3}), topic<int>(to, digits_of));
  CHECK(to->messages() == numbered(1, 3));
}

TEST_CASE("topics are checked when they are declared", "[framework][outbox]") {
  outbox_world const w;
  auto const built = [&](auto configure) {
    application app(w.with(1));
    app.use_memory_stream(script<int>(), [&](auto& pipeline) {
      configure(pipeline);
      pipeline.use_stream(send_all);
    });
  };
  fails_with(errc::invalid_pipeline, [&] { built([](auto& p) { p.use_topic("", numbers()); }); }, "a topic has no name");
  fails_with(errc::invalid_pipeline, [&] { built([](auto& p) { p.use_topic("t", numbers()).use_topic("t", numbers()); }); }, "called t");
  fails_with(
      errc::invalid_pipeline, [&] { built([&](auto& p) { p.use_sink("t", memory_table<int>(w.store)).use_topic("t", numbers()); }); },
      "two sinks or topics are called t");
  fails_with(errc::invalid_option, [] { (void)topic<int>(nullptr, digits_of); }, "no sender");
  fails_with(errc::invalid_option, [] { (void)topic<int>(sender(), nullptr); }, "no function");
  fails_with(errc::invalid_option, [] { (void)numbers().at_most(0); }, "at least 1");
  CHECK(numbers().options().at_most == 10'000);
}

TEST_CASE("messages to a topic that is gone are not dropped: the pipeline is refused; its numbers are kept", "[framework][outbox]") {
  outbox_world const w;
  auto const fails = std::make_shared<scripted_sender>([](messages const&) -> task<> {
    throw error(errc::rejected, "test: refused");
    co_return;
  });
  auto const to = sender();
  auto const start = [&](bool declared) {
    application app(w.with(1));
    app.use_memory_stream(script<int>().element(1), [&](auto& pipeline) {
      if (declared) pipeline.use_topic("t", topic<int>(to, digits_of));
      pipeline.use_stream([](stream<int> s, cancellation) -> task<> {
        while (co_await s.next()) {}
      });
    });
    testing::run(app.serve());
  };
  fails_with(errc::rejected, [&] { w.run(script<int>().element(1), topic<int>(fails, digits_of)); });
  fails_with(errc::incompatible, [&] { start(false); }, "outbox: cannot be restored", "\"t\"", "use_topic");
  start(true);
  CHECK(to->messages() == numbered(1, 1));
  start(false);
  w.run(script<int>().element(1).element(2), topic<int>(to, digits_of));
  CHECK(to->messages() == numbered(1, 2));
}

TEST_CASE("keys of the outbox are told apart, whatever topics are called", "[framework][outbox]") {
  for (std::string const name : {"bar:closed", "a/b", "x/00000000000000000001", "/", ""}) {
    state_change const message = detail::put_message(name, 7, "p"), last = detail::put_last_number(name, 9);
    CHECK(message.entry.operator_id == "(outbox)");
    CHECK(message.entry.key == name + "/00000000000000000007");
    CHECK(last.entry.key == name + "/");
    detail::outbox_entry const one = detail::parse_outbox_key(message.entry.key), other = detail::parse_outbox_key(last.entry.key);
    CHECK(one.topic == name);
    CHECK(one.number == 7U);
    CHECK(other.topic == name);
    CHECK_FALSE(other.number);
  }
  for (std::string const key : {"", "t", "t/7", "t/0000000000000000000x", "t/99999999999999999999", "t/00000000000000000000"})
    fails_with(errc::corrupt, [&] { (void)detail::parse_outbox_key(key); }, "outbox");
}
