// Messages of SQS: each by itself, and those of a message group in their order.
#include <weir/lambda/use_aws_lambda.hpp>

#include <weir/memory_sender.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/scan.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/lambda_events.hpp>

#include "made_events.hpp"
#include "scripted_runtime.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using lambda::sqs_record;
using test::fails_with;
using test::reports;
using test::simulated_function;
using texts = std::vector<std::string>;

namespace {

struct message {
  std::string id, group = {};
  bool readable = true;
};

// The body of a message is its id.
std::string sqs_event(std::vector<message> const& all) {
  std::string out = R"({"Records":[)";
  for (message const& m : all) {
    if (out.back() != '[') out += ',';
    out += R"({"messageId":")" + m.id + R"(","receiptHandle":"h",)";
    if (m.readable) out += R"("body":")" + m.id + R"(",)";
    out += R"("attributes":{"ApproximateReceiveCount":"1","SentTimestamp":"1523232000000")";
    if (!m.group.empty()) out += R"(,"MessageGroupId":")" + m.group + '"';
    out += R"(},"messageAttributes":{},"eventSource":"aws:sqs","eventSourceARN":"arn:aws:sqs:us-east-2:123456789012:orders)" +
           std::string(m.group.empty() ? "" : ".fifo") + R"(","awsRegion":"us-east-2"})";
  }
  return out + "]}";
}

// Each message takes a second.
struct working {
  texts done;
  texts refused;
  std::size_t now = 0, most = 0;

  task<> run(stream<sqs_record> records) {
    most = std::max(most, ++now);
    try {
      while (sqs_record const* const r = co_await records.next()) {
        std::string const id(r->body());
        co_await sleep_for(1s);
        if (std::ranges::find(refused, id) != refused.end()) throw std::runtime_error("no " + id);
        done.push_back(id);
      }
    } catch (...) {
      --now;
      throw;
    }
    --now;
  }
};
auto with(working& w, lambda::queue_options o = {}) {
  return [&w, o](auto& events) {
    events.use_sqs(o, [&w](auto& pipeline) {
      pipeline.use_stream([&w](stream<sqs_record> records, stream_context&) { return w.run(std::move(records)); });
    });
  };
}
std::vector<message> messages(int count) {
  std::vector<message> out;
  for (int n = 1; n <= count; ++n) out.push_back({"m" + std::to_string(n)});
  return out;
}

}  // namespace

TEST_CASE("messages of a queue are handled beside each other, so many at a time", "[lambda][sqs]") {
  simulated_function f;
  working w;
  f.service->invoke(sqs_event(messages(10)), 1min);
  f.run(with(w, {.source = "orders", .most_concurrent = 4}));
  REQUIRE(f.service->replies.size() == 1);
  CHECK(f.service->replies[0] == reports({}));
  CHECK(w.most == 4);
  CHECK(w.done.size() == 10);
  CHECK(*f.service->replies[0].deadline - f.service->replies[0].at == 57'000'000'000);  // 3 s: 4 + 4 + 2
}

TEST_CASE("each message of a queue fails by itself", "[lambda][sqs]") {
  simulated_function f;
  working w;
  w.refused = {"m2", "m5"};
  f.service->invoke(sqs_event(messages(6)));
  f.run(with(w));
  CHECK(f.service->replies.at(0) == reports({"m2", "m5"}));
  std::ranges::sort(w.done);
  CHECK(w.done == texts{"m1", "m3", "m4", "m6"});
  CHECK(f.has_said("partition m2, request request-1"));
}

TEST_CASE("a message group stops at its first failure, and the others go on", "[lambda][sqs]") {
  simulated_function f;
  working w;
  w.refused = {"a2"};
  f.service->invoke(sqs_event({{"a1", "a"}, {"b1", "b"}, {"a2", "a"}, {"a3", "a"}, {"b2", "b"}, {"a4", "a"}}), 1min);
  f.run(with(w, {.source = "orders.fifo"}));
  CHECK(f.service->replies.at(0) == reports({"a2", "a3", "a4"}));
  CHECK(w.most == 2);
  auto const at = [&](char const* id) { return std::ranges::find(w.done, id) - w.done.begin(); };
  CHECK(w.done.size() == 3);
  CHECK(at("b1") < at("b2"));
  CHECK(at("a1") < 3);
}

// Source: "Amazon SQS fair queues", Amazon SQS developer guide: in standard queues the group is a hint of who the message is for.
TEST_CASE("messages of a standard queue have no order in their groups, and fail by themselves", "[lambda][sqs]") {
  simulated_function f;
  working w;
  w.refused = {"a1"};
  testing::sqs_event e("arn:aws:sqs:us-east-2:123456789012:orders");
  for (char const* const id : {"a1", "a2", "b1"})
    e.message({.body = id, .message_id = id, .attributes = {{"MessageGroupId", std::string(id, 1)}}});
  f.service->invoke(e.json(), 1min);
  f.run(with(w));
  CHECK(f.service->replies.at(0) == reports({"a1"}));
  CHECK(w.most == 3);
  CHECK(w.done == texts{"a2", "b1"});
}

TEST_CASE("messages that are not begun when the time is up are reported", "[lambda][sqs]") {
  simulated_function f;
  working w;
  f.service->invoke(sqs_event(messages(6)), 2500ms);  // so reading stops at 2 s
  f.how.margin = 400ms;
  f.run(with(w, {.most_concurrent = 2}));
  CHECK(f.service->replies.at(0) == reports({"m5", "m6"}));
  CHECK(w.done.size() == 4);
}

TEST_CASE("a message that cannot be read is reported with those behind it", "[lambda][sqs]") {
  simulated_function f;
  working w;
  auto all = messages(4);
  all[2].readable = false;
  f.service->invoke(sqs_event(all));
  f.run(with(w));
  CHECK(f.service->replies.at(0) == reports({"m3", "m4"}));
  CHECK(w.done.size() == 2);
}

TEST_CASE("a queue whose mapping does not take partial answers gets the failure of the whole", "[lambda][sqs]") {
  simulated_function f;
  working w;
  w.refused = {"m2"};
  f.service->invoke(sqs_event(messages(3)));
  f.run(with(w, {.report_batch_item_failures = false}));
  CHECK(f.service->replies.at(0).failed);
  CHECK(f.service->replies.at(0).message.find("no m2") != std::string::npos);
}

TEST_CASE("what needs checkpoints is refused for a queue, also where there are some", "[lambda][sqs]") {
  simulated_function f;
  auto const store = std::make_shared<memory_state_store>();
  f.with.checkpoints = store;
  auto const nothing = [](stream<sqs_record> records, stream_context&) -> task<> {
    while (co_await records.next()) {}
  };
  fails_with(
      errc::invalid_pipeline,
      [&] {
        f.run([&](auto& events) {
          events.use_sqs({}, [&](auto& p) { p.use_sink("out", memory_table<std::string>(store)).use_stream(nothing); });
        });
      },
      "sink out", "queues");
  fails_with(
      errc::invalid_pipeline,
      [&] {
        f.run([&](auto& events) {
          events.use_sqs({},
                         [&](auto& p) { p.use_topic("out", topic<std::string>(std::make_shared<memory_sender>())).use_stream(nothing); });
        });
      },
      "topic out", "queues");
  f.service->invoke(sqs_event(messages(1)));
  f.run([&](auto& events) {
    events.use_sqs({}, [&](auto& p) {
      p.use_stream([](stream<sqs_record> records, stream_context&) -> task<> {
        auto counts = std::move(records) | scan(0, [](int n, sqs_record const&) { return n + 1; });
        while (co_await counts.next()) {}
      });
    });
  });
  CHECK(f.service->replies.at(0) == reports({"m1"}));
  CHECK(f.has_said("the handler keeps state"));
}
