// Records of Kafka: each partition of an event by itself. Changes of a table of DynamoDB.
#include <weir/lambda/use_aws_lambda.hpp>

#include <weir/memory_state_store.hpp>
#include <weir/net/base64.hpp>
#include <weir/sleep.hpp>

#include "made_events.hpp"
#include "scripted_runtime.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using lambda::dynamodb_record;
using lambda::kafka_record;
using test::reports;
using test::simulated_function;
using texts = std::vector<std::string>;

namespace {

// Partitions of the topic "t", each with records at these offsets, whose values are texts of them.
std::string kafka_event(std::vector<std::vector<int>> const& partitions) {
  std::string out = R"({"eventSource":"aws:kafka","eventSourceArn":"arn:aws:kafka:us-east-1:012345678901:cluster/c/e9f754c6","records":{)";
  for (std::size_t p = 0; p != partitions.size(); ++p) {
    out += (p == 0 ? "\"t-" : ",\"t-") + std::to_string(p) + "\":[";
    for (int const offset : partitions[p]) {
      if (out.back() != '[') out += ',';
      out += R"({"topic":"t","partition":)" + std::to_string(p) + R"(,"offset":)" + std::to_string(offset) +
             R"(,"timestamp":1545084650987,"timestampType":"CREATE_TIME","key":null,"value":")" + net::to_base64(std::to_string(offset)) +
             R"(","headers":[]})";
    }
    out += ']';
  }
  return out + "}}";
}

std::string dynamodb_event(std::vector<int> const& numbers) {
  std::string out = R"({"Records":[)";
  for (int const n : numbers) {
    if (out.back() != '[') out += ',';
    out += R"({"eventID":"e","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-west-2","dynamodb":{)"
           R"("Keys":{"Id":{"N":")" +
           std::to_string(n) + R"("}},"NewImage":{"Id":{"N":")" + std::to_string(n) + R"("}},"SequenceNumber":")" + std::to_string(n) +
           R"(","SizeBytes":26,"StreamViewType":"NEW_AND_OLD_IMAGES","ApproximateCreationDateTime":1545084650},)"
           R"("eventSourceARN":"arn:aws:dynamodb:us-west-2:123456789012:table/orders/stream/2015-06-27T00:48:05.899"})";
  }
  return out + "]}";
}

}  // namespace

TEST_CASE("partitions of a topic are streams beside each other, and fail by themselves", "[lambda][kafka]") {
  simulated_function f;
  std::map<std::string, texts> done;
  f.service->invoke(kafka_event({{0, 1, 2}, {7, 8, 9}, {3}}), 10s);
  f.run([&](auto& events) {
    events.use_kafka_stream({.source = "c"}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<kafka_record> records, stream_context& context) -> task<> {
        CHECK(context.stream() == "kafka c");
        std::string const partition(context.partition());
        while (kafka_record const* const r = co_await records.next()) {
          co_await sleep_for(1s);
          if (r->offset() == 8) throw std::runtime_error("not this one");
          done[partition].emplace_back(r->payload());
        }
      });
    });
  });
  REQUIRE(f.service->replies.size() == 1);
  std::string const& answer = f.service->replies[0].text;
  INFO(answer);
  CHECK(answer.find(R"("t-1","offset":8)") != std::string::npos);
  CHECK(answer.find("t-0") == std::string::npos);
  CHECK(answer.find("t-2") == std::string::npos);
  CHECK(done == std::map<std::string, texts>{{"t-0", {"0", "1", "2"}}, {"t-1", {"7"}}, {"t-2", {"3"}}});
  CHECK(*f.service->replies[0].deadline - f.service->replies[0].at == 7'000'000'000);
}

TEST_CASE("a partition goes on from its checkpoint", "[lambda][kafka]") {
  simulated_function f;
  f.with.checkpoints = std::make_shared<memory_state_store>();
  texts done;
  f.service->invoke(kafka_event({{0, 1}, {0}}));
  f.service->invoke(kafka_event({{0, 1, 2}, {1}}));
  f.run([&](auto& events) {
    events.use_kafka_stream({}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<kafka_record> records, stream_context& context) -> task<> {
        while (kafka_record const* const r = co_await records.next())
          done.push_back(std::string(context.partition()) + ":" + std::string(r->payload()));
      });
    });
  });
  for (auto const& r : f.service->replies) CHECK(r == reports({}));
  std::ranges::sort(done);
  CHECK(done == texts{"t-0:0", "t-0:1", "t-0:2", "t-1:0", "t-1:1"});
}

TEST_CASE("changes of a table come in order, and the first that is not done is reported", "[lambda][dynamodb]") {
  simulated_function f;
  texts done;
  f.service->invoke(dynamodb_event({11, 12, 13, 14}));
  f.run([&](auto& events) {
    events.use_dynamodb_stream({.source = "orders"}, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<dynamodb_record> records, stream_context&) -> task<> {
        while (dynamodb_record const* const r = co_await records.next()) {
          if (r->sequence_number() == "13") throw std::runtime_error("not this one");
          done.emplace_back(r->sequence_number());
        }
      });
    });
  });
  CHECK(f.service->replies.at(0) == reports({"13"}));
  CHECK(done == texts{"11", "12"});
}

TEST_CASE("changes of a table have no checkpoints, as their shard is not said", "[lambda][dynamodb]") {
  simulated_function f;
  f.with.checkpoints = std::make_shared<memory_state_store>();
  f.service->invoke(dynamodb_event({11}));
  f.run([&](auto& events) {
    events.use_dynamodb_stream({}, [&](auto& pipeline) {
      pipeline.use_stream([](stream<dynamodb_record> records, stream_context&) -> task<> {
        while (co_await records.next()) {}
      });
    });
  });
  CHECK(f.service->replies.at(0).failed);
  CHECK(f.service->replies.at(0).message.find("do not say their shard") != std::string::npos);
}
