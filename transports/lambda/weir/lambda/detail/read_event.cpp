#include <weir/error.hpp>
#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_members.hpp>
#include <weir/lambda/detail/json_value.hpp>
#include <weir/rfc3339.hpp>

#include <simdjson.h>

#include <cstring>
#include <string>
#include <utility>

namespace weir::lambda::detail {
namespace {

using simdjson::ondemand::array;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

[[noreturn]] void refuse(std::string why, std::string advice = {}) {
  throw error(errc::malformed, "lambda: cannot read the event", std::move(why), std::move(advice));
}
void check(simdjson::error_code failed) {
  if (failed != simdjson::SUCCESS) refuse("it is no JSON, or only the beginning of it: " + std::string(simdjson::error_message(failed)));
}
constexpr char const* is_it_ours = "is the function invoked by a mapping of Kinesis, DynamoDB, SQS or Kafka?";

std::string shown(std::string_view value) { return value.empty() ? "nothing" : text_of(value).value_or(std::string(value.substr(0, 80))); }

std::string text_or_refuse(std::string_view value, char const* name) {
  auto out = text_of(value);
  if (!out) refuse(std::string(name) + " is no text");
  return *std::move(out);
}

bool flag(std::string_view value, char const* name) {
  if (value != "true" && value != "false") refuse(std::string(name) + " is neither true nor false");
  return value == "true";
}

instant time_in(std::string_view value, char const* name) {
  auto const time = parse_rfc3339(inside_string(value).value_or(std::string_view()));
  if (!time) refuse(std::string(name) + " is no time");
  return *time;
}

bool is_null(value& v) {
  bool out = false;
  return v.is_null().get(out) == simdjson::SUCCESS && out;
}

// A value as it stands in the payload; empty: null.
std::string_view value_text(value& v) {
  simdjson::ondemand::json_type type{};
  check(v.type().get(type));
  std::string_view out;
  if (type == simdjson::ondemand::json_type::object) {
    object o;
    check(v.get_object().get(o));
    check(o.raw_json().get(out));
  } else if (type == simdjson::ondemand::json_type::array) {
    array a;
    check(v.get_array().get(a));
    check(a.raw_json().get(out));
  } else {
    out = v.raw_json_token();
  }
  return value_before_space(out);
}

// The text of an object whose members are looked at after that.
std::string_view text_and_again(object& o) {
  std::string_view out;
  bool any = false;
  check(o.raw_json().get(out));
  check(o.reset().get(any));
  return value_before_space(out);
}

std::string_view name_of(simdjson::ondemand::field& f) {
  char const* const begin = f.key().raw();
  char const* c = begin;
  while (*c != '"' && *c != '\\') ++c;
  if (*c == '"') return {begin, static_cast<std::size_t>(c - begin)};
  std::string_view out;
  check(f.unescaped_key().get(out));
  return out;
}

template <class F> void for_each_member(object& all, F f) {
  for (auto each : all) {
    simdjson::ondemand::field member;
    check(std::move(each).get(member));
    auto const name = name_of(member);
    f(name, member.value());
  }
}

template <class F> void for_each_element(array& all, F f) {
  for (auto each : all) {
    value element;
    check(std::move(each).get(element));
    f(element);
  }
}

// Whether the members of a record that say where it is from are those of the first one.
class origin {
public:
  void check(std::string_view source, std::string_view arn, std::string_view shard, std::size_t index) {
    if (index == 0) {
      source_ = source;
      arn_ = arn;
      shard_ = shard;
    } else {
      same(source_, source, "sources", index);
      same(arn_, arn, "streams", index);
      same(shard_, shard, "shards", index);
    }
  }

private:
  static void same(std::string_view first, std::string_view other, char const* what, std::size_t index) {
    if (first == other) return;
    refuse("its records are of several " + std::string(what) + ": record 0 is of " + shown(first) + ", and record " +
           std::to_string(index) + " of " + shown(other));
  }
  std::string_view source_, arn_, shard_;
};

// Reads "Records": each has its source, its ARN, and what is its source's own.
class records_reader {
public:
  explicit records_reader(event_index& to) : to_(to) {}

  void read(array& records) {
    for_each_element(records, [&](value& each) {
      object record;
      if (each.get_object().get(record)) refuse("record " + std::to_string(count_) + " is no object");
      if (count_ == 0) find_source(record);
      read(record);
      ++count_;
    });
  }

private:
  void find_source(object& record) {
    value found;
    std::string_view source;
    auto const failed = record.find_field_unordered("eventSource").get(found);
    if (failed == simdjson::SUCCESS) source = value_text(found);
    else if (failed != simdjson::NO_SUCH_FIELD) check(failed);
    if (inside_string(source) == "aws:kinesis") to_.source = event_source::kinesis;
    else if (inside_string(source) == "aws:dynamodb") to_.source = event_source::dynamodb;
    else if (inside_string(source) == "aws:sqs") to_.source = event_source::sqs;
    else if (source.empty()) refuse("its records do not say what they are of (eventSource)", is_it_ours);
    else refuse("its records are of an unknown source, " + shown(source), is_it_ours);
    bool any = false;
    check(record.reset().get(any));
  }

  void read(object& record) {
    std::string_view source, arn, shard;
    kinesis_values kinesis;
    dynamodb_values dynamodb;
    sqs_values sqs;
    for_each_member(record, [&](std::string_view name, value& v) {
      if (name == "eventSource") source = value_text(v);
      else if (name == "eventSourceARN") arn = value_text(v);
      else if (to_.source == event_source::sqs) read(sqs, name, v);
      else if (name == "eventID") dynamodb.event_id = value_text(v);
      else if (to_.source == event_source::dynamodb) read(dynamodb, name, v);
      else if (name == "kinesis") read(kinesis, v);
    });
    switch (to_.source) {
      case event_source::kinesis:
        shard = shard_in(dynamodb.event_id);
        if (count_ == 0) to_.shard_id = shard;
        to_.kinesis.push_back(kinesis);
        break;
      case event_source::dynamodb: to_.dynamodb.push_back(dynamodb); break;
      case event_source::sqs: to_.sqs.push_back(sqs); break;
      case event_source::kafka: break;
    }
    origin_.check(source, arn, shard, count_);
    if (count_ == 0 && !arn.empty()) to_.source_arn = text_or_refuse(arn, "eventSourceARN");
  }

  // "shardId-000000000006:4959..."
  static std::string_view shard_in(std::string_view event_id) {
    auto const id = inside_string(event_id).value_or(std::string_view());
    auto const end = id.rfind(':');
    return end == std::string_view::npos || id.find('\\') != std::string_view::npos ? std::string_view() : id.substr(0, end);
  }

  static void read(kinesis_values& to, value& v) {
    object members;
    if (v.get_object().get(members)) return;
    for_each_member(members, [&](std::string_view name, value& each) {
      if (name == "data") to.data = value_text(each);
      else if (name == "sequenceNumber") to.sequence_number = value_text(each);
      else if (name == "partitionKey") to.partition_key = value_text(each);
      else if (name == "approximateArrivalTimestamp") to.arrival = value_text(each);
    });
  }

  static void read(dynamodb_values& to, std::string_view of, value& v) {
    if (of == "eventName") to.event_name = value_text(v);
    else if (of == "userIdentity") to.user_identity = value_text(v);
    object members;
    if (of != "dynamodb" || v.get_object().get(members)) return;
    to.content = text_and_again(members);
    for_each_member(members, [&](std::string_view name, value& each) {
      if (name == "SequenceNumber") to.sequence_number = value_text(each);
      else if (name == "ApproximateCreationDateTime") to.created = value_text(each);
      else if (name == "Keys") to.keys = value_text(each);
      else if (name == "NewImage") to.new_image = value_text(each);
      else if (name == "OldImage") to.old_image = value_text(each);
    });
  }

  static void read(sqs_values& to, std::string_view of, value& v) {
    if (of == "messageId") to.message_id = value_text(v);
    else if (of == "receiptHandle") to.receipt_handle = value_text(v);
    else if (of == "body") to.body = value_text(v);
    else if (of == "messageAttributes") to.message_attributes = value_text(v);
    object members;
    if (of != "attributes" || v.get_object().get(members)) return;
    to.attributes = text_and_again(members);
    for_each_member(members, [&](std::string_view name, value& each) {
      if (name == "SentTimestamp") to.sent = value_text(each);
      else if (name == "ApproximateReceiveCount") to.receive_count = value_text(each);
      else if (name == "MessageGroupId") to.group_id = value_text(each);
    });
  }

  event_index& to_;
  std::size_t count_ = 0;
  origin origin_;
};

// Reads "records", which only events of Kafka have: {"topic-0":[...]}.
void read_kafka(event_index& to, object& partitions) {
  for_each_member(partitions, [&](std::string_view name, value& each) {
    array records;
    if (each.get_array().get(records)) refuse("records of " + std::string(name) + " are no array");
    topic_partition& p = to.partitions.emplace_back();
    p.name = name;
    p.first = to.kafka.size();
    for_each_element(records, [&](value& r) {
      object members;
      if (r.get_object().get(members)) refuse("record " + std::to_string(p.size) + " of " + p.name + " is no object");
      kafka_values& k = to.kafka.emplace_back();
      ++p.size;
      for_each_member(members, [&](std::string_view member, value& v) {
        if (member == "topic") k.topic = value_text(v);
        else if (member == "partition") k.partition = value_text(v);
        else if (member == "offset") k.offset = value_text(v);
        else if (member == "timestamp") k.timestamp = value_text(v);
        else if (member == "timestampType") k.timestamp_type = value_text(v);
        else if (member == "key") k.key = value_text(v);
        else if (member == "value") k.value = value_text(v);
        else if (member == "headers") k.headers = value_text(v);
      });
    });
  });
}

// The members of the event beside its records.
struct envelope {
  std::string_view source, arn, window, state, shard_id, is_final, is_terminated_early;
  bool has_records = false, is_kafka = false;
};

envelope read_members(event_index& to, object& all) {
  envelope out;
  for_each_member(all, [&](std::string_view name, value& v) {
    array records;
    object partitions;
    if (name == "Records" || name == "records") {
      if (is_null(v)) return;
      if (std::exchange(out.has_records, true)) refuse("it has records twice");
      out.is_kafka = name == "records";
      if (out.is_kafka && v.get_object().get(partitions) == simdjson::SUCCESS) read_kafka(to, partitions);
      else if (!out.is_kafka && v.get_array().get(records) == simdjson::SUCCESS) records_reader(to).read(records);
      else refuse("its records are not as those of an event source mapping", is_it_ours);
    } else if (name == "eventSource") {
      out.source = value_text(v);
    } else if (name == "eventSourceARN" || name == "eventSourceArn") {
      out.arn = value_text(v);
    } else if (name == "window") {
      out.window = value_text(v);
    } else if (name == "state") {
      out.state = value_text(v);
    } else if (name == "shardId") {
      out.shard_id = value_text(v);
    } else if (name == "isFinalInvokeForWindow") {
      out.is_final = value_text(v);
    } else if (name == "isWindowTerminatedEarly") {
      out.is_terminated_early = value_text(v);
    }
  });
  return out;
}

event_window window_of(envelope const& e) {
  event_window out;
  std::string_view start, end;
  bool const is_object = each_member(e.window, [&](std::string_view name, std::string_view value) {
    if (name == "start") start = value;
    else if (name == "end") end = value;
  });
  if (!is_object) refuse("its window is no object");
  out.start = time_in(start, "the start of its window");
  out.end = time_in(end, "the end of its window");
  if (out.end <= out.start) refuse("its window ends before it begins");
  if (!e.state.empty()) {
    if (e.state.front() != '{') refuse("the state of its window is no object");
    out.state = e.state;
  }
  if (!e.is_final.empty()) out.is_final = flag(e.is_final, "isFinalInvokeForWindow");
  if (!e.is_terminated_early.empty()) out.is_terminated_early = flag(e.is_terminated_early, "isWindowTerminatedEarly");
  return out;
}

// Of an event without records: "arn:aws:kinesis:us-east-1:123456789012:stream/name".
event_source source_in(std::string const& arn) {
  auto const part = [&](std::string_view name) { return arn.starts_with("arn:") && arn.find(name, 4) == arn.find(':', 4); };
  if (part(":kinesis:")) return event_source::kinesis;
  if (part(":dynamodb:")) return event_source::dynamodb;
  refuse("it has no records, and does not say what it is of (eventSourceARN)", is_it_ours);
}

void finish(event_index& to, envelope const& e) {
  if (!e.has_records && e.window.empty()) refuse("it has no records", is_it_ours);
  if (!e.arn.empty() && to.source_arn.empty()) to.source_arn = text_or_refuse(e.arn, "eventSourceARN");
  if (e.is_kafka) {
    to.source = event_source::kafka;
    auto const source = inside_string(e.source);
    if (source != "aws:kafka" && source != "SelfManagedKafka")
      refuse("its records are of an unknown source, " + shown(e.source), is_it_ours);
  }
  if (!e.window.empty()) to.window = window_of(e);
  if (!e.shard_id.empty()) to.shard_id = text_or_refuse(e.shard_id, "shardId");
  if (to.size() != 0) return;
  if (!to.window || !to.window->is_final) refuse("it has no records, and is not the last one of a window", is_it_ours);
  to.source = source_in(to.source_arn);
}

}  // namespace

event_index read_event(std::string_view payload) {
  event_index out;
  out.payload = shared_bytes(payload.size() + value_block::padding);
  if (!payload.empty()) std::memcpy(out.payload.data(), payload.data(), payload.size());
  std::memset(out.payload.data() + payload.size(), 0, value_block::padding);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document json;
  check(parser.iterate(out.payload.data(), payload.size(), payload.size() + value_block::padding).get(json));
  object all;
  if (json.get_object().get(all)) refuse("it is no JSON object", is_it_ours);
  envelope const members = read_members(out, all);
  if (json.current_location().error() != simdjson::OUT_OF_BOUNDS) refuse("there is something behind its end");
  finish(out, members);
  return out;
}

}  // namespace weir::lambda::detail
