#include <weir/kinesis/record_decoder.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/net/base64.hpp>

#include <simdjson.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace weir::kinesis {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

[[noreturn]] void refuse_reply(std::string why) { throw error(weir::errc::malformed, "kinesis: cannot read records", std::move(why)); }

// Null where it is no text.
std::string_view text_of(element e) {
  std::string_view text;
  return e.get_string().get(text) ? std::string_view() : text;
}
simdjson::dom::array array_in(element e, char const* name) {
  simdjson::dom::array out;
  if (e.get_array().get(out)) refuse_reply(std::string(name) + " is no array");
  return out;
}
object object_in(element e, char const* what) {
  object out;
  if (e.get_object().get(out)) refuse_reply(std::string(what) + " is no object");
  return out;
}

weir::position position_in(std::string_view text) {
  auto const found = position_of(text);
  if (!found) refuse_reply("\"" + std::string(text.substr(0, 80)) + "\" is no sequence number");
  return *found;
}
instant time_in(element e) {
  double seconds = 0;
  if (e.get_double().get(seconds) || !(std::abs(seconds) < 9e9)) refuse_reply("an ApproximateArrivalTimestamp is no time");
  return std::llround(seconds * 1e3) * 1'000'000;
}
hash_key hash_key_in(element e) {
  auto const key = hash_key::parse(text_of(e));
  if (!key) refuse_reply("a child shard has no hash keys");
  return *key;
}

child_shard child_in(element e) {
  child_shard out;
  for (auto const& [name, value] : object_in(e, "a child shard")) {
    if (name == "ShardId") {
      out.id = text_of(value);
    } else if (name == "ParentShards") {
      for (element const parent : array_in(value, "ParentShards")) out.parents.emplace_back(text_of(parent));
    } else if (name == "HashKeyRange") {
      for (auto const& [end, key] : object_in(value, "HashKeyRange")) {
        if (end == "StartingHashKey") out.keys.first = hash_key_in(key);
        else if (end == "EndingHashKey") out.keys.last = hash_key_in(key);
      }
    }
  }
  if (out.id.empty()) refuse_reply("a child shard has no id");
  return out;
}

// Reads records into one block, which has room for all.
class block_writer {
public:
  block_writer(record_batch& to, std::size_t capacity) : to_(to) {
    to_.bytes = shared_bytes(capacity);
    into_ = to_.bytes.data();
  }

  void add(element e) {
    record_view r;
    bool has_data = false;
    for (auto const& [name, value] : object_in(e, "a record")) {
      if (value.is_null()) continue;
      if (name == "Data") has_data = decode(text_of(value), r.data);
      else if (name == "PartitionKey") r.partition_key = copied(text_of(value));
      else if (name == "SequenceNumber") r.position = position_in(text_of(value));
      else if (name == "ApproximateArrivalTimestamp") r.arrival = time_in(value);
      else if (name == "EncryptionType") r.encrypted = text_of(value) == "KMS";
    }
    if (r.position.size() == 0) refuse_reply("a record has no sequence number");
    if (!has_data) refuse_reply("the record " + sequence_number_of(r.position) + " has no data, or some that is no base64");
    if (r.partition_key.empty()) refuse_reply("the record " + sequence_number_of(r.position) + " has no partition key");
    to_.records.push_back(r);
  }

private:
  bool decode(std::string_view text, std::string_view& out) {
    char const* const end = text.data() == nullptr ? nullptr : net::decode_base64(text, into_);
    if (end == nullptr) return false;
    auto const size = static_cast<std::size_t>(end - into_);
    out = {std::exchange(into_, into_ + size), size};
    return true;
  }
  std::string_view copied(std::string_view text) {
    if (text.empty()) return {};
    std::memcpy(into_, text.data(), text.size());
    return {std::exchange(into_, into_ + text.size()), text.size()};
  }

  record_batch& to_;
  char* into_;
};

}  // namespace

struct record_decoder::state {
  simdjson::dom::parser parser;
};

record_decoder::record_decoder() : state_(std::make_unique<state>()) {}
record_decoder::~record_decoder() = default;
record_decoder::record_decoder(record_decoder&&) noexcept = default;
record_decoder& record_decoder::operator=(record_decoder&&) noexcept = default;

record_batch record_decoder::decode(std::string_view body) {
  element all;
  auto const failed =
      state_->parser.parse(body.data(), body.size()).get(all);  // copies it to where it has padding, which is less than to make room here
  if (failed) refuse_reply(simdjson::error_message(failed));
  record_batch out;
  bool has_records = false;
  for (auto const& [name, value] : object_in(all, "it")) {
    has_records = has_records || name == "Records";
    if (value.is_null()) continue;
    if (name == "Records") {
      auto const records = array_in(value, "Records");
      if (records.begin() == records.end()) continue;
      if (out.bytes) refuse_reply("it has Records twice");
      block_writer writer(out, body.size());  // nothing is longer when it is decoded
      out.records.reserve(records.size());
      for (element const r : records) writer.add(r);
    } else if (name == "NextShardIterator") {
      out.next_iterator = text_of(value);
    } else if (name == "ContinuationSequenceNumber") {
      out.continuation = text_of(value);
    } else if (name == "MillisBehindLatest") {
      std::int64_t milliseconds = 0;
      if (value.get_int64().get(milliseconds)) refuse_reply("MillisBehindLatest is no whole number");
      out.behind = std::chrono::milliseconds(milliseconds);
    } else if (name == "ChildShards") {
      for (element const child : array_in(value, "ChildShards")) out.children.push_back(child_in(child));
    }
  }
  if (!has_records) refuse_reply("it has no Records");  // what says nothing of them must not be taken for the end of a shard
  return out;
}

}  // namespace weir::kinesis
