#include <weir/lambda/first_unfinished.hpp>

#include <weir/kinesis/aggregated_record.hpp>
#include <weir/kinesis/outgoing_record.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/net/base64.hpp>
#include <weir/net/hashes.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "transports/kinesis/capture.hpp"

#include <optional>
#include <string>
#include <vector>

using namespace weir;
using lambda::event;
using lambda::first_unfinished;
using test::fails_with;

namespace {

std::string kinesis_record(std::string const& number, std::string const& data) {
  return R"({"eventSource":"aws:kinesis","kinesis":{"partitionKey":"k","sequenceNumber":")" + number + R"(","data":")" + data + "\"}}";
}
event kinesis_event(std::vector<std::string> const& all) {
  std::string text;
  for (auto const& r : all) text += (text.empty() ? "" : ",") + r;
  return event(R"({"Records":[)" + text + "]}");
}
std::optional<position> at(char const* number, std::uint64_t sub = 0) { return kinesis::position_of(number, sub); }

}  // namespace

TEST_CASE("the first record behind the frontier is the one to report", "[lambda][unfinished]") {
  event const e = kinesis_event({kinesis_record("9", "YQ=="), kinesis_record("10", "YQ=="), kinesis_record("11", "YQ==")});
  CHECK(first_unfinished(e, std::nullopt) == 0);
  CHECK(first_unfinished(e, at("8")) == 0);
  CHECK(first_unfinished(e, at("9")) == 1);  // numbers, and no texts
  CHECK(first_unfinished(e, at("10")) == 2);
  CHECK(first_unfinished(e, at("11")) == std::nullopt);
  CHECK(first_unfinished(e, at("12")) == std::nullopt);
}

TEST_CASE("a record with others in it is done when they all are", "[lambda][unfinished]") {
  auto const bytes = test::kinesis_capture("kpl-aggregated-3.bin");
  if (!bytes && test::skip("no captures of producers")) return;
  event const e = kinesis_event({kinesis_record("9", "YQ=="), kinesis_record("10", net::to_base64(*bytes)), kinesis_record("11", "YQ==")});
  CHECK(first_unfinished(e, at("10", 0)) == 1);
  CHECK(first_unfinished(e, at("10", 1)) == 1);
  CHECK(first_unfinished(e, at("10", 2)) == 2);
}

TEST_CASE("a record with nothing in it holds nobody up", "[lambda][unfinished]") {
  // "KPL Aggregated Record Format": a table of keys, and no record; the checksum is the message's MD5.
  std::string const message =
      "\x0a\x01"
      "a";
  std::string const empty = net::to_base64("\xf3\x89\x9a\xc2" + message + std::string(net::bytes_of(net::md5(message))));
  event const e = kinesis_event({kinesis_record("9", empty), kinesis_record("10", "YQ=="), kinesis_record("11", empty)});
  CHECK(first_unfinished(e, std::nullopt) == 1);
  CHECK(first_unfinished(e, at("10")) == std::nullopt);
}

TEST_CASE("a record that cannot be read is not done", "[lambda][unfinished]") {
  CHECK(first_unfinished(kinesis_event({kinesis_record("9", "YQ=="), kinesis_record("10", "?")}), at("10")) == 1);
  CHECK(first_unfinished(kinesis_event({kinesis_record("9", "YQ=="), kinesis_record("x", "")}), at("11")) == 1);
}

TEST_CASE("changes of DynamoDB with one sequence number are counted", "[lambda][unfinished]") {
  std::string const five = R"({"eventSource":"aws:dynamodb","dynamodb":{"SequenceNumber":"5"}})";
  event const e(R"({"Records":[)" + five + "," + five + R"(,{"eventSource":"aws:dynamodb","dynamodb":{"SequenceNumber":"10"}}]})");
  CHECK(first_unfinished(e, std::nullopt) == 0);
  CHECK(first_unfinished(e, at("5")) == 1);
  CHECK(first_unfinished(e, at("5", 1)) == 2);
  CHECK(first_unfinished(e, at("10")) == std::nullopt);
}

TEST_CASE("each partition of Kafka has a first record that is not done", "[lambda][unfinished]") {
  event const e(R"({"eventSource":"aws:kafka","records":{"a-0":[{"offset":0},{"offset":1}],"a-1":[{"offset":7}]}})");
  CHECK(first_unfinished(e, 0, std::nullopt) == 0);
  CHECK(first_unfinished(e, 0, position(0)) == 1);
  CHECK(first_unfinished(e, 0, position(1)) == std::nullopt);
  CHECK(first_unfinished(e, 1, position(6)) == 2);
  CHECK(e.identifier(2) == "7");
  CHECK(first_unfinished(e, 1, position(7)) == std::nullopt);
  fails_with(errc::misuse, [&] { first_unfinished(e, 2, std::nullopt); }, "there is no partition 2");
  fails_with(errc::misuse, [&] { first_unfinished(e, std::nullopt); }, "aws:kafka");
  fails_with(errc::misuse, [&] { first_unfinished(kinesis_event({kinesis_record("9", "")}), 0, std::nullopt); }, "aws:kinesis");
}
