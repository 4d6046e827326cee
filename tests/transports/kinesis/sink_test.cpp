// Pipelines whose results go into a stream.
#include <weir/kinesis/sink.hpp>

#include <weir/application.hpp>
#include <weir/kinesis/record_sender.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/topic.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"
#include "support/kinesis_server.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::kinesis_fault;
using test::kinesis_server;
using testing::script;
using texts = std::vector<std::string>;

namespace {

kinesis::producer_options to(kinesis_server const& server) {
  kinesis::producer_options o;
  o.stream = "bars";
  o.client = server.client_options();
  o.retry = retry_policy().attempts(3).first_delay(1s).blur(jitter::none);
  o.most_record_bytes = 100;
  return o;
}
texts data_in(kinesis_server const& server) {
  texts out;
  for (auto const& s : server.stream("bars").shards())
    for (auto const& r : s.records) out.push_back(r.data);
  return out;
}
task<> copy(stream<int> s, stream_context& context) {
  while (int* const x = co_await s.next()) co_await context.sink<int>("out").write(*x);
}
task<> tell(stream<int> s, stream_context& context) {
  while (int* const x = co_await s.next()) co_await context.send("seen", *x);
}

}  // namespace

TEST_CASE("the rows of a checkpoint are in the stream before it is committed", "[kinesis][sink]") {
  kinesis_server server;
  server.create("bars", 1);
  server.fail("PutRecords", kinesis_fault::fail_entries({0}), 1, 1);
  auto const store = std::make_shared<memory_state_store>();
  kinesis::sink<int> const out(to(server), [](int x) { return kinesis::outgoing_record("k", std::to_string(x)); });
  application app(test::keeping_in(store, 3));
  app.use_memory_stream(script<int>().elements({1, 2, 3}).elements({4, 5, 6}).element(7),
                        [&](auto& pipeline) { pipeline.use_sink("out", out).use_stream(copy); });
  testing::run(app.serve());
  CHECK(data_in(server) == texts{"1", "2", "3", "5", "6", "4", "7"});
}

TEST_CASE("a row that no stream takes becomes a dead letter, and the others arrive", "[kinesis][sink][failures]") {
  kinesis_server server;
  server.create("bars", 1);
  kinesis::sink<int> const out(to(server),
                               [](int x) { return kinesis::outgoing_record("k", x == 3 ? std::string(100, 'x') : std::to_string(x)); });
  texts letters;
  auto const policy = failure_policy().dead_letter_to([&](dead_letter const& l) { letters.push_back(l.payload); });
  application app(test::keeping_in(std::make_shared<memory_state_store>(), 3));
  app.use_memory_stream(script<int>().elements({1, 2, 3}).elements({4, 5}),
                        [&](auto& pipeline) { pipeline.use_sink("out", out).on_failure(policy).use_stream(copy); });
  testing::run(app.serve());
  CHECK(letters == texts{"3"});
  texts const all = data_in(server);
  for (char const* const row : {"1", "2", "4", "5"}) CHECK(std::ranges::count(all, row) >= 1);
}

TEST_CASE("messages of a topic are put in order", "[kinesis][sink]") {
  kinesis_server server;
  server.create("bars", 1);
  server.fail("PutRecords", kinesis_fault::fail_entries({0}), 1, 1);
  server.fail("PutRecords", kinesis_fault::throttle(), 1, 1);
  auto const sender = std::make_shared<kinesis::record_sender>(to(server));
  application app(test::keeping_in(std::make_shared<memory_state_store>(), 3));
  app.use_memory_stream(script<int>().elements({1, 2, 3}).elements({4, 5}), [&](auto& pipeline) {
    pipeline.use_topic("seen", topic<int>(sender, [](int x) { return std::to_string(x); })).use_stream(tell);
  });
  testing::run(app.serve());
  CHECK(data_in(server) == texts{"1", "2", "3", "4", "5"});
  CHECK(server.stream("bars").shards().at(0).records.front().partition_key.ends_with("/seen"));
}

TEST_CASE("messages whose names are long have a key all the same", "[kinesis][sink]") {
  kinesis_server server;
  server.create("bars", 1);
  kinesis::record_sender sender(to(server));
  CHECK(sender.kind() == "kinesis");
  std::string const longer(300, 'p');
  std::vector<message> two{{longer, "s", "0", "t", 1, "a"}, {longer, "s", "0", "t", 2, "b"}};
  testing::run(sender.send(std::move(two)));
  CHECK(data_in(server) == texts{"a", "b"});
  CHECK(server.calls("PutRecords") == 2);
  CHECK(server.stream("bars").shards().at(0).records.front().partition_key.size() == 64);
}
