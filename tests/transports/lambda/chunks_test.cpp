#include <weir/kinesis/sequence_number.hpp>
#include <weir/lambda/dynamodb_records.hpp>
#include <weir/lambda/kafka_records.hpp>
#include <weir/lambda/sqs_records.hpp>
#include <weir/testing/lambda_events.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <cstddef>
#include <string>
#include <vector>

using namespace weir;
using lambda::event;
using sizes = std::vector<std::size_t>;

namespace {

// How many records come at a time.
template <class Records> sizes chunks_of(Records records) {
  sizes out;
  for (auto some = records.next(); !some.empty(); some = records.next()) out.push_back(some.size());
  return out;
}

testing::dynamodb_event changes(int count) {
  testing::dynamodb_event out;
  for (int i = 1; i <= count; ++i) out.record({.sequence_number = std::to_string(i)});
  return out;
}
testing::kafka_event records(std::uint64_t count) {
  testing::kafka_event out;
  for (std::uint64_t i = 0; i != count; ++i) out.record("x", 0);
  return out;
}

}  // namespace

TEST_CASE("messages, changes and records of Kafka come in chunks of 256", "[lambda][chunks]") {
  testing::sqs_event queue;
  for (int i = 0; i != 600; ++i) queue.message("body");
  CHECK(chunks_of(lambda::sqs_records(event(queue.json()))) == sizes{256, 256, 88});
  CHECK(chunks_of(lambda::dynamodb_records(event(changes(512).json()))) == sizes{256, 256});
  CHECK(chunks_of(lambda::kafka_records(event(records(257).json()), 0)) == sizes{256, 1});
}

TEST_CASE("a position that is chunks behind the first record is found", "[lambda][chunks]") {
  event const table(changes(1000).json());
  CHECK(chunks_of(lambda::dynamodb_records(table, kinesis::position_of("600"))) == sizes{168, 232});
  CHECK(chunks_of(lambda::dynamodb_records(table, kinesis::position_of("1000"))).empty());
  event const topic(records(1000).json());
  CHECK(chunks_of(lambda::kafka_records(topic, 0, position(599))) == sizes{168, 232});
  CHECK(chunks_of(lambda::kafka_records(topic, 0, position(999))).empty());
}

TEST_CASE("a record that cannot be read in a later chunk is numbered in the event", "[lambda][chunks]") {
  testing::dynamodb_event table = changes(300);
  table.record({.sequence_number = "none"});
  lambda::dynamodb_records reader{event(table.json())};
  CHECK(reader.next().size() == 256);
  CHECK(reader.next().size() == 44);
  test::fails_with(errc::malformed, [&] { reader.next(); }, "record 300 of 301", "its sequence number");
}
