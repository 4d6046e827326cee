#include "support/kinesis_protocol.hpp"

#include "support/refusal.hpp"

#include <weir/aws/json_string.hpp>
#include <weir/kinesis/detail/request_text.hpp>
#include <weir/net/base64.hpp>

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::test {
namespace {

using aws::append_json_string;
using kinesis::detail::request_text;
using simdjson::dom::element;
using namespace std::chrono_literals;

constexpr instant nanoseconds(std::chrono::nanoseconds d) { return d.count(); }
[[noreturn]] void invalid(std::string why) { throw refusal("InvalidArgumentException", std::move(why)); }
[[noreturn]] void constraint(std::string const& name, std::string const& rule) {
  throw refusal("ValidationException", "1 validation error detected: Value at '" + name + "' failed to satisfy constraint: " + rule);
}

std::string list_of(std::vector<std::string> const& all) {
  std::string out = "[";
  for (std::string const& one : all) out += (out.size() == 1 ? "" : ",") + one;
  return out + ']';
}
std::string json_text_of(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}
std::string range_text(kinesis::hash_key_range const& r) {
  return request_text().add("StartingHashKey", r.first.text()).add("EndingHashKey", r.last.text()).take();
}
std::string seconds_text(instant t) { return request_text().add_time("t", t).take(); }

std::string shard_text(kinesis_stream const& of, kinesis_stream::shard const& s) {
  request_text out, numbers;
  out.add("ShardId", s.id()).add_json("HashKeyRange", range_text(s.keys));
  if (!s.parents.empty()) out.add("ParentShardId", of.shards()[s.parents[0]].id());
  if (s.parents.size() > 1) out.add("AdjacentParentShardId", of.shards()[s.parents[1]].id());
  numbers.add("StartingSequenceNumber", s.sequence_number(s.first));
  if (s.closed) numbers.add("EndingSequenceNumber", s.sequence_number(s.last));
  return out.add_json("SequenceNumberRange", numbers.take()).take();
}

std::string child_text(kinesis_stream const& of, kinesis_stream::shard const& s) {
  std::vector<std::string> parents;
  for (std::size_t const p : s.parents) parents.push_back(json_text_of(of.shards()[p].id()));
  return request_text()
      .add("ShardId", s.id())
      .add_json("ParentShards", list_of(parents))
      .add_json("HashKeyRange", range_text(s.keys))
      .take();
}

std::string record_text(kinesis_stream::shard const& in, kinesis_stream::record const& r) {
  std::string out = R"({"SequenceNumber":")" + in.sequence_number(r.number) + R"(","ApproximateArrivalTimestamp":)";
  std::string const time = seconds_text(r.arrival);
  out += time.substr(5, time.size() - 6) + R"(,"Data":")";  // {"t":1.234}
  net::append_base64(out, r.data);
  out += R"(","PartitionKey":)";
  append_json_string(out, r.partition_key);
  return out += '}';
}

}  // namespace

// What a request says; texts of it stay where they are.
struct kinesis_protocol::request {
  explicit request(std::string const& body) {
    if (parser.parse(body).get(all) || !all.is_object()) throw refusal("SerializationException", "Start of structure expected");
  }
  bool has(char const* name) const {
    element e;
    return !all[name].get(e) && !e.is_null();
  }
  std::string text(char const* name) const { return text_in(all, name); }
  static std::string text_in(element e, char const* name) {
    std::string_view out;
    return e[name].get_string().get(out) ? std::string() : std::string(out);
  }
  std::string needed(char const* name) const {
    std::string out = text(name);
    if (out.empty()) constraint(name, "Member must not be null");
    return out;
  }
  std::size_t number(char const* name, std::size_t otherwise, std::size_t most) const {
    std::int64_t out = 0;
    if (all[name].get_int64().get(out)) return otherwise;
    if (out < 1) constraint(name, "Member must have value greater than or equal to 1");
    if (static_cast<std::size_t>(out) > most) constraint(name, "Member must have value less than or equal to " + std::to_string(most));
    return static_cast<std::size_t>(out);
  }
  static instant time_in(element e) {
    double seconds = 0;
    if (e["Timestamp"].get_double().get(seconds)) invalid("Must specify timestampInMillis parameter.");
    return std::llround(seconds * 1e3) * 1'000'000;
  }

  simdjson::dom::parser parser;
  element all;
};

kinesis_stream& kinesis_protocol::stream(std::string const& name) { return streams_.at(name).of; }

void kinesis_protocol::create(std::string const& name, std::size_t shards, instant now) {
  if (streams_.contains(name)) throw refusal("ResourceInUseException", "Stream " + name + " under account 000000000000 already exists.");
  streams_.emplace(name, entry(kinesis_stream(name, shards, now), now + nanoseconds(options_.change_time)));
}

std::string kinesis_protocol::call(std::string_view operation, std::string const& body, instant now,
                                   std::vector<std::size_t> const& failing, std::string const& why) {
  request const r(body);
  if (operation == "CreateStream") {
    create(r.needed("StreamName"), r.number("ShardCount", 4, 1'000), now);
    return {};
  }
  if (operation == "DeleteStream") {
    std::string const name = find(r, now).of.name();
    streams_.erase(name);
    return {};
  }
  if (operation == "DescribeStreamSummary") return describe(r, now);
  if (operation == "ListShards") return list_shards(r, now);
  if (operation == "GetShardIterator") return iterator(r, now);
  if (operation == "GetRecords") return records(r, now);
  if (operation == "PutRecord") return put_one(r, now);
  if (operation == "PutRecords") return put_all(r, now, failing, why);
  if (operation == "SplitShard" || operation == "MergeShards" || operation == "UpdateShardCount") {
    reshard(operation, r, now);
    return "{}";
  }
  throw refusal("UnknownOperationException");
}

kinesis_protocol::entry& kinesis_protocol::find(request const& r, instant now) {
  std::string name = r.text("StreamName");
  if (std::string const arn = r.text("StreamARN"); !arn.empty()) name = arn.substr(arn.find('/') + 1);
  if (name.empty()) invalid("Either StreamName or StreamARN should be provided.");
  auto const found = streams_.find(name);
  if (found == streams_.end()) throw refusal("ResourceNotFoundException", "Stream " + name + " under account 000000000000 not found.");
  found->second.of.trim(now - nanoseconds(options_.retention));
  return found->second;
}

kinesis_protocol::entry& kinesis_protocol::changeable(request const& r, instant now) {
  entry& e = find(r, now);
  if (now < e.ready_at) throw refusal("ResourceInUseException", "Stream " + e.of.name() + " under account 000000000000 not ACTIVE.");
  return e;
}

std::string kinesis_protocol::describe(request const& r, instant now) {
  entry const& e = find(r, now);
  char const* const status = now >= e.ready_at ? "ACTIVE" : e.updating ? "UPDATING" : "CREATING";
  request_text out;
  out.add("StreamName", e.of.name()).add("StreamARN", e.of.arn()).add("StreamStatus", status);
  out.add_json("StreamModeDetails", R"({"StreamMode":"PROVISIONED"})").add_time("StreamCreationTimestamp", e.of.created());
  out.add("RetentionPeriodHours", static_cast<std::uint64_t>(options_.retention / 1h)).add("OpenShardCount", e.of.open().size());
  out.add("EncryptionType", "NONE").add("MaxRecordSizeInKiB", options_.most_record / 1024);
  return request_text().add_json("StreamDescriptionSummary", out.take()).take();
}

std::string kinesis_protocol::sealed(std::string const& text, instant now) const {
  return "AAAAAAAAAAE" + net::to_base64(std::to_string(now) + '|' + std::to_string(generation_) + '|' + text);
}

std::vector<std::string> kinesis_protocol::unsealed(std::string const& text, instant now, char const* expired) const {
  auto const inside = text.starts_with("AAAAAAAAAAE") ? net::from_base64(std::string_view(text).substr(11)) : std::nullopt;
  std::vector<std::string> out(1);
  for (char const c : inside.value_or(""))
    if (c == '|') out.emplace_back();
    else out.back() += c;
  if (out.size() != 5)
    invalid(expired == std::string_view("ExpiredNextTokenException") ? "NextToken is invalid." : "Invalid ShardIterator.");
  instant const made = std::stoll(out[0]);
  if (now - made > nanoseconds(5min) || out[1] != std::to_string(generation_))
    throw refusal(expired, "Iterator expired. The iterator was created " + std::to_string((now - made) / 1'000'000) +
                               " milliseconds ago which is further in the past than the tolerated delay of 300000 milliseconds.");
  out.erase(out.begin(), out.begin() + 2);
  return out;
}

std::string kinesis_protocol::list_shards(request const& r, instant now) {
  std::string name = r.text("StreamName"), filter, after;
  if (r.has("NextToken")) {
    if (!name.empty() || r.has("StreamARN")) invalid("NextToken and StreamName cannot be provided together.");
    std::vector<std::string> const token = unsealed(r.text("NextToken"), now, "ExpiredNextTokenException");
    name = token[0];
    filter = token[1];
    after = token[2];
  } else {
    name = find(r, now).of.name();
    element given;
    if (!r.all["ShardFilter"].get(given) && !given.is_null()) {
      std::string const type = request::text_in(given, "Type");
      instant const horizon = now - nanoseconds(options_.retention);
      bool const timed = type == "AT_TIMESTAMP" || type == "FROM_TIMESTAMP";
      if (type == "AFTER_SHARD_ID") after = request::text_in(given, "ShardId");
      else if (timed || type == "AT_TRIM_HORIZON" || type == "FROM_TRIM_HORIZON")
        filter = (type.starts_with("AT_") ? 'a' : 'f') + std::to_string(timed ? request::time_in(given) : horizon);
      else if (type == "AT_LATEST") filter = "l";
      else constraint("shardFilter.type", "Member must satisfy enum value set");
    }
  }
  kinesis_stream const& of = streams_.at(name).of;
  instant const since = filter.size() > 1 ? std::max<instant>(std::stoll(filter.substr(1)), of.created()) : 0;
  std::size_t const most = r.number("MaxResults", 1'000, 10'000);
  std::vector<std::string> page;
  request_text out;
  for (kinesis_stream::shard const& s : of.shards()) {
    if (s.gone || s.id() <= after) continue;
    if (filter == "l" && s.closed) continue;
    if (filter.size() > 1 && ((s.closed && *s.closed <= since) || (filter[0] == 'a' && s.created > since))) continue;
    if (page.size() == most) {
      out.add("NextToken", sealed(name + '|' + filter + '|' + after, now));
      break;
    }
    page.push_back(shard_text(of, s));
    after = s.id();
  }
  return out.add_json("Shards", list_of(page)).take();
}

std::string kinesis_protocol::iterator(request const& r, instant now) {
  kinesis_stream const& of = find(r, now).of;
  kinesis_stream::shard const& s = of.at(r.needed("ShardId"));
  std::string const type = r.needed("ShardIteratorType");
  std::uint64_t from = 0;
  if (type == "LATEST") {
    from = s.records.empty() ? std::max(s.first, s.last) : s.records.back().number + 1;
  } else if (type == "AT_TIMESTAMP") {
    instant const t = request::time_in(r.all);
    if (t > now)
      invalid("The timestampInMillis parameter cannot be greater than the currentTimestampInMillis. timestampInMillis: " +
              std::to_string(t / 1'000'000) + ", currentTimestampInMillis: " + std::to_string(now / 1'000'000));
    auto const found = std::ranges::find_if(s.records, [&](auto const& one) { return one.arrival >= t; });
    from = found != s.records.end() ? found->number : s.records.empty() ? s.first : s.records.back().number + 1;
  } else if (type == "AT_SEQUENCE_NUMBER" || type == "AFTER_SEQUENCE_NUMBER") {
    std::string const text = r.needed("StartingSequenceNumber");
    auto const number = s.number_of(text);
    if (!number)
      invalid("StartingSequenceNumber " + text + " used in GetShardIterator on shard " + s.id() + " in stream " + of.name() +
              " under account 000000000000 is invalid because it did not come from this stream.");
    from = *number + (type[1] == 'F' ? 1 : 0);
  } else if (type != "TRIM_HORIZON") {
    constraint("shardIteratorType", "Member must satisfy enum value set");
  }
  return request_text().add("ShardIterator", sealed(of.name() + '|' + s.id() + '|' + std::to_string(from), now)).take();
}

void kinesis_protocol::count_read(use& u, instant now) const {
  if (!options_.limits) return;
  while (!u.reads.empty() && u.reads.front() <= now - nanoseconds(1s)) u.reads.pop_front();
  if (u.reads.size() >= 5 || now < u.not_before) throw refusal("ProvisionedThroughputExceededException", "Rate exceeded for shard.");
  u.reads.push_back(now);
}

std::string kinesis_protocol::records(request const& r, instant now) {
  std::size_t const limit = r.number("Limit", 10'000, 10'000);
  std::vector<std::string> const at = unsealed(r.needed("ShardIterator"), now, "ExpiredIteratorException");
  auto const found = streams_.find(at[0]);
  if (found == streams_.end()) throw refusal("ResourceNotFoundException", "Stream " + at[0] + " under account 000000000000 not found.");
  kinesis_stream& of = found->second.of;
  of.trim(now - nanoseconds(options_.retention));
  kinesis_stream::shard const& s = of.at(at[1]);
  use& u = found->second.uses[s.index];
  count_read(u, now);
  std::uint64_t next = std::stoull(at[2]);
  std::vector<std::string> out;
  std::size_t bytes = 0;
  auto one = std::ranges::lower_bound(s.records, next, {}, &kinesis_stream::record::number);
  instant last = now;
  for (; one != s.records.end() && out.size() != limit && (out.empty() || bytes + one->data.size() <= options_.most_reply); ++one) {
    out.push_back(record_text(s, *one));
    bytes += one->data.size();
    next = one->number + 1;
    last = one->arrival;
  }
  if (options_.limits && bytes > std::size_t{2} * 1024 * 1024)
    u.not_before = now + nanoseconds(1s) * static_cast<instant>(bytes / (std::size_t{2} * 1024 * 1024));
  bool const drained = one == s.records.end();
  request_text reply;
  reply.add("MillisBehindLatest", drained ? 0 : static_cast<std::uint64_t>(s.records.back().arrival - last) / 1'000'000);
  reply.add_json("Records", list_of(out));
  if (!drained || !s.closed) {
    reply.add("NextShardIterator", sealed(at[0] + '|' + at[1] + '|' + std::to_string(next), now));
  } else if (options_.child_shards) {
    std::vector<std::string> children;
    for (std::size_t const c : s.children) children.push_back(child_text(of, of.shards()[c]));
    reply.add_json("ChildShards", list_of(children));
  }
  return reply.take();
}

bool kinesis_protocol::has_room(use& u, std::size_t bytes, instant now) const {
  if (!options_.limits) return true;
  if (instant const second = floor_to(now, 1s); u.second != second) {
    u.second = second;
    u.records = u.bytes = 0;
  }
  if (u.records + 1 > 1'000 || u.bytes + bytes > std::size_t{1024} * 1024) return false;
  ++u.records;
  u.bytes += bytes;
  return true;
}

namespace {

struct given_record {
  given_record(element e, std::string const& where, std::size_t most) {
    std::string_view text;
    if (e["PartitionKey"].get_string().get(text) || text.empty())
      constraint(where + "partitionKey", "Member must have length greater than or equal to 1");
    partition_key = text;
    auto const characters = std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
    if (characters > 256) constraint(where + "partitionKey", "Member must have length less than or equal to 256");
    auto bytes = e["Data"].get_string().get(text) ? std::nullopt : net::from_base64(text);
    if (!bytes) throw refusal("SerializationException", "Data is no base64");
    data = *std::move(bytes);
    if (data.size() + partition_key.size() > most)
      constraint(where + "data", "Member must have length less than or equal to " + std::to_string(most));
    key = kinesis::hash_key::of(partition_key);
    if (e["ExplicitHashKey"].get_string().get(text)) return;
    auto const explicit_key = kinesis::hash_key::parse(text);
    if (!explicit_key) invalid("Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1].");
    key = *explicit_key;
  }
  std::string partition_key, data;
  kinesis::hash_key key;
};

}  // namespace

std::string kinesis_protocol::put_one(request const& r, instant now) {
  entry& e = find(r, now);
  given_record g(r.all, "", options_.most_record);
  std::size_t const to = e.of.owner_of(g.key);
  if (!has_room(e.uses[to], g.data.size(), now)) throw refusal("ProvisionedThroughputExceededException", "Rate exceeded for shard.");
  auto const& kept = e.of.put(to, std::move(g.partition_key), std::move(g.data), now);
  kinesis_stream::shard const& s = e.of.shards()[to];
  return request_text().add("ShardId", s.id()).add("SequenceNumber", s.sequence_number(kept.number)).take();
}

std::string kinesis_protocol::put_all(request const& r, instant now, std::vector<std::size_t> const& failing, std::string const& why) {
  entry& e = find(r, now);
  simdjson::dom::array all;
  if (r.all["Records"].get_array().get(all)) constraint("records", "Member must not be null");
  std::vector<given_record> given;
  std::size_t bytes = 0;
  for (element const one : all) {
    given.emplace_back(one, "records." + std::to_string(given.size() + 1) + ".member.", options_.most_record);
    bytes += given.back().data.size() + given.back().partition_key.size();
  }
  if (given.empty()) constraint("records", "Member must have length greater than or equal to 1");
  if (given.size() > 500) constraint("records", "Member must have length less than or equal to 500");
  if (bytes > std::size_t{10} * 1024 * 1024) invalid("Records size exceeds 10 MB limit");
  std::vector<std::string> out;
  std::uint64_t failed = 0;
  for (given_record& g : given) {
    std::size_t const to = e.of.owner_of(g.key);
    bool const fails = std::ranges::find(failing, out.size()) != failing.end();
    if (fails || !has_room(e.uses[to], g.data.size(), now)) {
      ++failed;
      out.push_back(request_text()
                        .add("ErrorCode", fails ? why : "ProvisionedThroughputExceededException")
                        .add("ErrorMessage", "Rate exceeded for shard " + e.of.shards()[to].id() + " in stream " + e.of.name() +
                                                 " under account 000000000000.")
                        .take());
      continue;
    }
    auto const& kept = e.of.put(to, std::move(g.partition_key), std::move(g.data), now);
    kinesis_stream::shard const& s = e.of.shards()[to];
    out.push_back(request_text().add("SequenceNumber", s.sequence_number(kept.number)).add("ShardId", s.id()).take());
  }
  return request_text().add("FailedRecordCount", failed).add_json("Records", list_of(out)).take();
}

void kinesis_protocol::reshard(std::string_view operation, request const& r, instant now) {
  entry& e = changeable(r, now);
  if (operation == "SplitShard") {
    auto const at = kinesis::hash_key::parse(r.needed("NewStartingHashKey"));
    if (!at) invalid("Invalid NewStartingHashKey.");
    e.of.split(r.needed("ShardToSplit"), *at, now);
  } else if (operation == "MergeShards") {
    e.of.merge(r.needed("ShardToMerge"), r.needed("AdjacentShardToMerge"), now);
  } else {
    e.of.set_count(r.number("TargetShardCount", 0, 10'000), now);
  }
  e.updating = true;
  e.ready_at = now + nanoseconds(options_.change_time);
}

}  // namespace weir::test
