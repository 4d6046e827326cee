#include <weir/testing/lambda_events.hpp>

#include <weir/aws/json_string.hpp>
#include <weir/dynamodb/detail/json_out.hpp>
#include <weir/net/base64.hpp>
#include <weir/net/hashes.hpp>
#include <weir/rfc3339.hpp>

#include <algorithm>
#include <utility>

namespace weir::testing {
namespace {

constexpr instant first_time = 1'704'067'200'000'000'000;
constexpr instant millisecond = 1'000'000, second = 1'000'000'000;

instant time_of(std::optional<instant> const& given, std::size_t index) {
  return given.value_or(first_time + static_cast<instant>(index) * millisecond);
}

std::string padded(std::size_t number, std::size_t digits) {
  std::string const text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::string quoted(std::string_view text) {
  std::string out;
  aws::append_json_string(out, text);
  return out;
}
std::string base64(std::string_view bytes) { return '"' + net::to_base64(bytes) + '"'; }

// Seconds with three digits behind the point.
std::string seconds(instant t) { return std::to_string(t / second) + '.' + padded(static_cast<std::size_t>(t % second / millisecond), 3); }

// {"name":value,...}
class members {
public:
  members& add(std::string_view name, std::string_view json) {
    text_ += text_.empty() ? "" : ",";
    aws::append_json_string(text_, name);
    (text_ += ':') += json;
    return *this;
  }
  members& text(std::string_view name, std::string_view value) { return add(name, quoted(value)); }
  std::string json() const { return '{' + text_ + '}'; }

private:
  std::string text_;
};

void append(std::string& list, std::string_view json) { (list += list.empty() ? "" : ",") += json; }

// "arn:aws:kinesis:us-east-1:..."
std::string region_of(std::string_view arn) {
  for (int i = 0; i != 3; ++i) {
    auto const colon = arn.find(':');
    if (colon == std::string_view::npos) return "us-east-1";
    arn.remove_prefix(colon + 1);
  }
  return std::string(arn.substr(0, arn.find(':')));
}

std::string stream_event(std::string const& records, std::optional<lambda::event_window> const& w, std::string_view shard,
                         std::string_view arn) {
  members out;
  out.add("Records", '[' + records + ']');
  if (!w) return out.json();
  out.add("window", members().text("start", format_rfc3339(w->start)).text("end", format_rfc3339(w->end)).json());
  out.add("state", w->state).text("shardId", shard).text("eventSourceARN", arn);
  out.add("isFinalInvokeForWindow", w->is_final ? "true" : "false");
  out.add("isWindowTerminatedEarly", w->is_terminated_early ? "true" : "false");
  return out.json();
}

std::string item_json(dynamodb::item const& all) {
  std::string out;
  dynamodb::detail::put_item(out, all);
  return out;
}

// Source: "Item sizes and formats", DynamoDB developer guide, with a number's length as it was in examples of streams.
std::size_t size_of(dynamodb::attribute_value const& v);
std::size_t size_of(dynamodb::item const& all) {
  std::size_t out = 0;
  for (auto const& [name, value] : all) out += name.size() + size_of(value);
  return out;
}
std::size_t number_size(std::string_view digits) {
  auto const count = static_cast<std::size_t>(std::ranges::count_if(digits, [](char c) { return c >= '0' && c <= '9'; }));
  return (count + 1) / 2 + 1;
}
std::size_t size_of(dynamodb::attribute_value const& v) {
  std::size_t out = 0;
  if (auto const* const s = v.as_string()) return s->size();
  if (auto const* const n = v.as_number()) return number_size(*n);
  if (auto const* const b = v.as_binary()) return b->size();
  if (auto const* const m = v.as_map()) return 3 + m->size() + size_of(*m);
  if (auto const* const l = v.as_list()) {
    for (auto const& each : *l) out += 1 + size_of(each);
    return 3 + out;
  }
  if (auto const* const all = v.as_string_set())
    for (auto const& each : *all) out += each.size();
  if (auto const* const all = v.as_number_set())
    for (auto const& each : *all) out += number_size(each);
  if (auto const* const all = v.as_binary_set())
    for (auto const& each : *all) out += each.size();
  return out == 0 ? 1 : out;  // NULL and BOOL have one
}

std::string hex_md5(std::string_view bytes) {
  std::string out;
  for (std::byte const b : net::md5(bytes)) {
    out += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    out += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return out;
}

bool is_binary(lambda::message_attribute const& a) { return a.type == "Binary" || a.type.starts_with("Binary."); }

// Source: "Calculating the MD5 message digest for message attributes", Amazon SQS developer guide.
std::string attributes_md5(std::vector<lambda::message_attribute> all) {
  std::ranges::sort(all, {}, &lambda::message_attribute::name);
  std::string bytes;
  auto const part = [&](std::string_view text) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(text.size() >> shift);
    bytes += text;
  };
  for (auto const& a : all) {
    part(a.name);
    part(a.type);
    bytes += is_binary(a) ? '\2' : '\1';
    part(a.value);
  }
  return hex_md5(bytes);
}

std::string attributes_json(std::vector<lambda::message_attribute> const& all) {
  members out;
  for (auto const& a : all) {
    members one;
    if (is_binary(a)) one.add("binaryValue", base64(a.value));
    else one.text("stringValue", a.value);
    out.add(a.name, one.add("stringListValues", "[]").add("binaryListValues", "[]").text("dataType", a.type).json());
  }
  return out.json();
}

}  // namespace

kinesis_event::kinesis_event(std::string stream_arn, std::string shard_id) : arn_(std::move(stream_arn)), shard_(std::move(shard_id)) {}

kinesis_event& kinesis_event::record(std::string_view data, std::string_view partition_key) {
  return record({.data = std::string(data), .partition_key = std::string(partition_key)});
}

kinesis_event& kinesis_event::record(fields r) {
  if (r.sequence_number.empty()) r.sequence_number = "495903382714902566085596925383615710" + padded(records_.size() + 1, 20);
  r.arrival = time_of(r.arrival, records_.size());
  records_.push_back(std::move(r));
  return *this;
}

kinesis_event& kinesis_event::role(std::string arn) {
  role_ = std::move(arn);
  return *this;
}

kinesis_event& kinesis_event::window(lambda::event_window w) {
  window_ = std::move(w);
  return *this;
}

std::string kinesis_event::json() const {
  std::string records;
  for (fields const& r : records_) {
    members kinesis;
    kinesis.text("kinesisSchemaVersion", "1.0").text("partitionKey", r.partition_key).text("sequenceNumber", r.sequence_number);
    kinesis.add("data", base64(r.data)).add("approximateArrivalTimestamp", seconds(*r.arrival));
    members out;
    out.add("kinesis", kinesis.json()).text("eventSource", "aws:kinesis").text("eventVersion", "1.0");
    out.text("eventID", shard_ + ':' + r.sequence_number).text("eventName", "aws:kinesis:record").text("invokeIdentityArn", role_);
    append(records, out.text("awsRegion", region_of(arn_)).text("eventSourceARN", arn_).json());
  }
  return stream_event(records, window_, shard_, arn_);
}

dynamodb_event::dynamodb_event(std::string stream_arn) : arn_(std::move(stream_arn)) {}

dynamodb_event& dynamodb_event::insert(dynamodb::item keys, dynamodb::item new_image) {
  return record({.keys = std::move(keys), .new_image = std::move(new_image)});
}

dynamodb_event& dynamodb_event::modify(dynamodb::item keys, dynamodb::item old_image, dynamodb::item new_image) {
  return record({.what = lambda::dynamodb_record::change::modify,
                 .keys = std::move(keys),
                 .old_image = std::move(old_image),
                 .new_image = std::move(new_image)});
}

dynamodb_event& dynamodb_event::remove(dynamodb::item keys, dynamodb::item old_image) {
  return record({.what = lambda::dynamodb_record::change::remove, .keys = std::move(keys), .old_image = std::move(old_image)});
}

dynamodb_event& dynamodb_event::record(fields r) {
  if (r.sequence_number.empty()) r.sequence_number = "14054" + padded(records_.size() + 1, 20);
  if (r.event_id.empty()) r.event_id = padded(records_.size() + 1, 32);
  r.time = time_of(r.time, records_.size());
  records_.push_back(std::move(r));
  return *this;
}

dynamodb_event& dynamodb_event::window(lambda::event_window w, std::string shard_id) {
  window_ = std::move(w);
  shard_ = std::move(shard_id);
  return *this;
}

std::string dynamodb_event::json() const {
  using change = lambda::dynamodb_record::change;
  std::string records;
  for (fields const& r : records_) {
    members change_of;
    change_of.add("ApproximateCreationDateTime", std::to_string(*r.time / second)).add("Keys", item_json(r.keys));
    if (r.new_image) change_of.add("NewImage", item_json(*r.new_image));
    if (r.old_image) change_of.add("OldImage", item_json(*r.old_image));
    std::size_t const size = size_of(r.keys) + (r.new_image ? size_of(*r.new_image) : 0) + (r.old_image ? size_of(*r.old_image) : 0);
    change_of.text("SequenceNumber", r.sequence_number).add("SizeBytes", std::to_string(size)).text("StreamViewType", "NEW_AND_OLD_IMAGES");
    members out;
    out.text("eventID", r.event_id);
    out.text("eventName", r.what == change::insert ? "INSERT" : r.what == change::modify ? "MODIFY" : "REMOVE");
    out.text("eventVersion", r.event_version).text("eventSource", "aws:dynamodb").text("awsRegion", region_of(arn_));
    if (r.by_service) out.add("userIdentity", members().text("type", "Service").text("principalId", "dynamodb.amazonaws.com").json());
    append(records, out.add("dynamodb", change_of.json()).text("eventSourceARN", arn_).json());
  }
  return stream_event(records, window_, shard_, arn_);
}

sqs_event::sqs_event(std::string queue_arn) : arn_(std::move(queue_arn)) {}

sqs_event& sqs_event::message(std::string_view body) { return message({.body = std::string(body)}); }

sqs_event& sqs_event::message(std::string_view body, std::string_view group_id) {
  return message({.body = std::string(body), .attributes = {{"MessageGroupId", std::string(group_id)}}});
}

sqs_event& sqs_event::message(fields m) {
  std::size_t const index = messages_.size();
  if (m.message_id.empty()) m.message_id = "00000000-0000-4000-8000-" + padded(index + 1, 12);
  if (m.receipt_handle.empty()) m.receipt_handle = "receipt-" + std::to_string(index + 1);
  std::string const time = std::to_string(time_of({}, index) / millisecond);
  m.attributes.emplace("ApproximateReceiveCount", "1");
  m.attributes.emplace("SentTimestamp", time);
  m.attributes.emplace("SenderId", "AIDAIENQZJOLO23YVJ4VO");
  m.attributes.emplace("ApproximateFirstReceiveTimestamp", time);
  if (m.attributes.contains("MessageGroupId")) {
    m.attributes.emplace("SequenceNumber", "18849496460467" + padded(index + 1, 6));
    m.attributes.emplace("MessageDeduplicationId", m.message_id);
  }
  messages_.push_back(std::move(m));
  return *this;
}

std::string sqs_event::json() const {
  std::string records;
  for (fields const& m : messages_) {
    members attributes, out;
    for (auto const& [name, value] : m.attributes) attributes.text(name, value);
    out.text("messageId", m.message_id).text("receiptHandle", m.receipt_handle).text("body", m.body);
    out.add("attributes", attributes.json()).add("messageAttributes", attributes_json(m.message_attributes));
    out.text("md5OfBody", hex_md5(m.body));
    if (!m.message_attributes.empty()) out.text("md5OfMessageAttributes", attributes_md5(m.message_attributes));
    append(records, out.text("eventSource", "aws:sqs").text("eventSourceARN", arn_).text("awsRegion", region_of(arn_)).json());
  }
  return members().add("Records", '[' + records + ']').json();
}

kafka_event::kafka_event(std::string cluster_arn, std::string bootstrap_servers)
    : arn_(std::move(cluster_arn)), servers_(std::move(bootstrap_servers)) {}

kafka_event kafka_event::self_managed(std::string bootstrap_servers) { return kafka_event({}, std::move(bootstrap_servers)); }

kafka_event& kafka_event::record(std::string_view value, std::uint32_t partition) {
  return record({.partition = partition, .value = std::string(value)});
}

kafka_event& kafka_event::record(fields r) {
  if (!r.offset) {
    r.offset = 0;
    for (fields const& before : records_)
      if (before.topic == r.topic && before.partition == r.partition) r.offset = *before.offset + 1;
  }
  r.time = time_of(r.time, records_.size());
  records_.push_back(std::move(r));
  return *this;
}

std::string kafka_event::json() const {
  std::map<std::string, std::string> partitions;
  for (fields const& r : records_) {
    std::string headers;
    for (auto const& h : r.headers) {
      std::string bytes;
      for (char const c : h.value) append(bytes, std::to_string(static_cast<signed char>(c)));
      append(headers, members().add(h.name, '[' + bytes + ']').json());
    }
    members out;
    out.text("topic", r.topic).add("partition", std::to_string(r.partition)).add("offset", std::to_string(*r.offset));
    out.add("timestamp", std::to_string(*r.time / millisecond)).text("timestampType", r.logged ? "LOG_APPEND_TIME" : "CREATE_TIME");
    if (r.key) out.add("key", base64(*r.key));
    if (r.value) out.add("value", base64(*r.value));
    append(partitions[r.topic + '-' + std::to_string(r.partition)], out.add("headers", '[' + headers + ']').json());
  }
  members records, out;
  for (auto const& [name, list] : partitions) records.add(name, '[' + list + ']');
  out.text("eventSource", arn_.empty() ? "SelfManagedKafka" : "aws:kafka");
  if (!arn_.empty()) out.text("eventSourceArn", arn_);
  return out.text("bootstrapServers", servers_).add("records", records.json()).json();
}

}  // namespace weir::testing
