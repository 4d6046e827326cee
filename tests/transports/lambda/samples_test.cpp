// The vendor's sample events through a function of all sources.
#include <weir/lambda/use_aws_lambda.hpp>

#include "samples.hpp"
#include "scripted_runtime.hpp"
#include "support/catch.hpp"
#include "support/skip.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using test::simulated_function;
using texts = std::vector<std::string>;

namespace {

template <class R> task<> hear(stream<R> records, texts& heard, std::size_t refused) {
  while (R const* const r = co_await records.next()) {
    if (heard.size() == refused) throw std::runtime_error("not this one");
    heard.emplace_back(r->partition_key());
  }
}

// Answers one event; refuses the record with that index.
struct answering {
  texts heard;
  std::string answer;
  bool failed = false;
  std::string message;

  // False: there are no samples.
  bool run(std::string const& file, std::size_t refused) {
    auto const event = test::lambda_sample(file);
    if (!event) return !test::skip("no shared data: WEIR_SHARED names none");
    simulated_function f;
    f.service->invoke(*event);
    auto const all = [this, refused](auto& pipeline) {
      pipeline.use_stream(
          [this, refused]<class R>(stream<R> records, stream_context&) { return hear(std::move(records), heard, refused); });
    };
    f.run(
        [&](auto& events) { events.use_kinesis_stream({}, all).use_dynamodb_stream({}, all).use_sqs({}, all).use_kafka_stream({}, all); });
    REQUIRE(f.service->replies.size() == 1);
    answer = f.service->replies[0].text;
    failed = f.service->replies[0].failed;
    message = f.service->replies[0].message;
    return true;
  }
};

}  // namespace

TEST_CASE("the sample events are answered", "[lambda][samples]") {
  struct expected {
    std::string file;
    texts keys;
  };
  constexpr std::size_t none = 99;
  std::vector<expected> const all{{"kinesis-event.json", {"s1", "s1"}},
                                  {"dynamodb-event.json", {R"({"Id":{"N":"101"}})", R"({"Id":{"N":"101"}})"}},
                                  {"sqs-event.json", {""}},
                                  {"kafka-event.json", {"8d5596b4-1813-4238-b24b-6dad8e3d1c0c"}}};
  for (expected const& e : all) {
    INFO(e.file);
    answering a;
    if (!a.run(e.file, none)) return;
    CHECK_FALSE(a.failed);
    CHECK(a.answer == R"({"batchItemFailures":[]})");
    CHECK(a.heard.size() == e.keys.size());
    if (e.file != "dynamodb-event.json") CHECK(a.heard == e.keys);
  }
}

TEST_CASE("a record of a sample that fails is reported by its identifier", "[lambda][samples]") {
  struct expected {
    std::string file;
    std::size_t refused;
    std::string part;
  };
  std::vector<expected> const all{
      {"kinesis-event.json", 0, R"("itemIdentifier":"49568167373333333333333333333333333333333333333333333333")"},
      {"kinesis-event.json", 1, R"("itemIdentifier":"49568167373333333334444444444444444444444444444444444444")"},
      {"dynamodb-event.json", 0, R"("itemIdentifier":"1405400000000002063282832")"},
      {"sqs-event.json", 0, R"("itemIdentifier":"MessageID_1")"},
      {"kafka-event.json", 0, R"("AWSKafkaTopic-0","offset":0)"}};
  for (expected const& e : all) {
    INFO(e.file);
    answering a;
    if (!a.run(e.file, e.refused)) return;
    CHECK_FALSE(a.failed);
    CHECK(a.heard.size() == e.refused);
    INFO(a.answer);
    CHECK(a.answer.find(e.part) != std::string::npos);
  }
}

TEST_CASE("a sample whose window has another program's state fails", "[lambda][samples]") {
  for (char const* const file : {"kinesis-time-window-event.json", "dynamodb-time-window-event.json"}) {
    INFO(file);
    answering a;
    if (!a.run(file, 99)) return;
    CHECK(a.failed);
    CHECK(a.message.find("none of this program's") != std::string::npos);
    CHECK(a.heard.empty());
  }
}
