#include <weir/kinesis/detail/replies.hpp>

#include <weir/aws/service_error.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/errc.hpp>

#include <simdjson.h>

#include <cmath>
#include <string_view>
#include <utility>

namespace weir::kinesis::detail {
namespace {

using simdjson::dom::element;
using result = simdjson::simdjson_result<element>;

[[noreturn]] void refuse(std::string why) { throw error(weir::errc::malformed, "kinesis: cannot read a reply", std::move(why)); }

// Its whole text, and a member of it which must be there; empty: the reply itself.
class reply {
public:
  explicit reply(std::string const& body) {
    if (parser_.parse(body).get(root_) || !root_.is_object()) refuse("it is no JSON object");
  }
  element root() const { return root_; }

private:
  simdjson::dom::parser parser_;
  element root_;
};

std::string text_of(result const& found) {
  std::string_view text;
  return found.get_string().get(text) ? std::string() : std::string(text);
}
std::string needed_text(element in, std::string_view name) {
  std::string out = text_of(in[name]);
  if (out.empty()) refuse("it has no " + std::string(name));
  return out;
}
simdjson::dom::array needed_array(element in, std::string_view name) {
  simdjson::dom::array out;
  if (in[name].get_array().get(out)) refuse("it has no " + std::string(name));
  return out;
}
hash_key needed_key(result const& in, std::string_view name) {
  auto const key = hash_key::parse(text_of(in[name]));
  if (!key) refuse("a shard has no " + std::string(name));
  return *key;
}

put_result put_result_of(element e) {
  put_result out;
  std::string code = text_of(e["ErrorCode"]), message = text_of(e["ErrorMessage"]);
  if (code.empty()) {
    out.shard_id = needed_text(e, "ShardId");
    out.sequence_number = needed_text(e, "SequenceNumber");
    return out;
  }
  aws::service_error said;
  said.code = code;
  out.failure = aws::to_error(said, {}, code_of(code)).code();
  out.why = std::move(code);
  if (!message.empty()) out.why += ": " + message;
  return out;
}

stream_status status_of(std::string_view text) noexcept {
  if (text == "CREATING") return stream_status::creating;
  if (text == "DELETING") return stream_status::deleting;
  if (text == "ACTIVE") return stream_status::active;
  if (text == "UPDATING") return stream_status::updating;
  return stream_status::unknown;
}

consumer_status consumer_status_of(std::string_view text) noexcept {
  if (text == "CREATING") return consumer_status::creating;
  if (text == "DELETING") return consumer_status::deleting;
  if (text == "ACTIVE") return consumer_status::active;
  return consumer_status::unknown;
}

}  // namespace

std::vector<shard> read_shards(std::string const& body, std::string& next_token) {
  reply const r(body);
  std::vector<shard> out;
  for (element const e : needed_array(r.root(), "Shards")) {
    shard s;
    s.id = needed_text(e, "ShardId");
    s.keys.first = needed_key(e["HashKeyRange"], "StartingHashKey");
    s.keys.last = needed_key(e["HashKeyRange"], "EndingHashKey");
    s.parent = text_of(e["ParentShardId"]);
    s.adjacent_parent = text_of(e["AdjacentParentShardId"]);
    s.first_sequence_number = text_of(e["SequenceNumberRange"]["StartingSequenceNumber"]);
    // That there is one counts: kinesis-mock has a made-up number there.
    s.closed = !text_of(e["SequenceNumberRange"]["EndingSequenceNumber"]).empty();
    out.push_back(std::move(s));
  }
  next_token = text_of(r.root()["NextToken"]);
  return out;
}

stream_summary read_summary(std::string const& body) {
  reply const r(body);
  element all;
  if (r.root()["StreamDescriptionSummary"].get(all) || !all.is_object()) refuse("it has no StreamDescriptionSummary");
  stream_summary out;
  out.name = text_of(all["StreamName"]);
  out.arn = text_of(all["StreamARN"]);
  out.status = status_of(text_of(all["StreamStatus"]));
  std::uint64_t number = 0;
  if (!all["OpenShardCount"].get_uint64().get(number)) out.open_shards = static_cast<std::size_t>(number);
  if (!all["RetentionPeriodHours"].get_uint64().get(number)) out.retention = std::chrono::hours(number);
  if (!all["MaxRecordSizeInKiB"].get_uint64().get(number)) out.most_record_bytes = static_cast<std::size_t>(number) * 1024;
  double created = 0;
  if (!all["StreamCreationTimestamp"].get_double().get(created) && std::abs(created) < 9e9)
    out.created = std::llround(created * 1e3) * 1'000'000;
  out.encrypted = text_of(all["EncryptionType"]) == "KMS";
  out.on_demand = text_of(all["StreamModeDetails"]["StreamMode"]) == "ON_DEMAND";
  return out;
}

stream_consumer read_consumer(std::string const& body) {
  reply const r(body);
  element all;
  if (r.root()["ConsumerDescription"].get(all) && r.root()["Consumer"].get(all)) refuse("it has no consumer");
  stream_consumer out;
  out.name = text_of(all["ConsumerName"]);
  out.arn = needed_text(all, "ConsumerARN");
  out.status = consumer_status_of(text_of(all["ConsumerStatus"]));
  return out;
}

std::string read_iterator(std::string const& body) { return needed_text(reply(body).root(), "ShardIterator"); }

put_result read_put_record(std::string const& body) { return put_result_of(reply(body).root()); }

std::vector<put_result> read_put_records(std::string const& body, std::size_t count) {
  reply const r(body);
  std::vector<put_result> out;
  out.reserve(count);
  for (element const e : needed_array(r.root(), "Records")) out.push_back(put_result_of(e));
  if (out.size() != count) refuse("it has " + std::to_string(out.size()) + " results for " + std::to_string(count) + " records");
  return out;
}

}  // namespace weir::kinesis::detail
