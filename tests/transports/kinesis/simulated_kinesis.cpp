#include "simulated_kinesis.hpp"

#include "support/refusal.hpp"

#include <weir/aws/service_error.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/replies.hpp>
#include <weir/kinesis/detail/request_text.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <utility>

namespace weir::test {
namespace {

using kinesis::detail::request_text;

[[noreturn]] void answer_with(std::string const& operation, std::string type, std::string message, unsigned status) {
  aws::service_error said;
  said.code = std::move(type);
  said.message = std::move(message);
  said.status = status;
  throw aws::to_error(said, "kinesis: " + operation + " failed", kinesis::code_of(said.code));
}

class counted {
public:
  explicit counted(simulated_kinesis& k) noexcept : of_(k) { of_.most_under_way = std::max(of_.most_under_way, ++of_.under_way); }
  counted(counted const&) = delete;
  counted& operator=(counted const&) = delete;
  ~counted() { --of_.under_way; }

private:
  simulated_kinesis& of_;
};

}  // namespace

void simulated_kinesis::fail(std::string const& operation, kinesis_fault f, std::size_t times, std::size_t after) {
  auto& waiting = faults_[operation];
  waiting.insert(waiting.end(), after, std::nullopt);
  waiting.insert(waiting.end(), times, std::move(f));
}

std::optional<kinesis_fault> simulated_kinesis::next_fault(std::string const& operation) {
  auto& waiting = faults_[operation];
  if (waiting.empty()) return std::nullopt;
  std::optional<kinesis_fault> out = std::move(waiting.front());
  waiting.pop_front();
  return out;
}

std::size_t simulated_kinesis::calls(std::string const& operation) const {
  return static_cast<std::size_t>(std::ranges::count(seen, operation, &call::operation));
}

std::string simulated_kinesis::answer_now(std::string const& operation, std::string const& body, instant now) {
  seen.push_back(call{operation, body, now});
  if (before) before(seen.back());
  std::optional<kinesis_fault> const fault = next_fault(operation);
  using kind = kinesis_fault::kind;
  if (fault && fault->what == kind::refuse) answer_with(operation, fault->type, fault->message, fault->status);
  if (fault && fault->what == kind::status_only) answer_with(operation, "", "", fault->status);
  if (fault && fault->what == kind::close) throw error(weir::errc::unavailable, "http: POST failed", "the connection was closed");
  std::string out;
  try {
    bool const of_fan_out = operation.ends_with("Consumer") || operation == "SubscribeToShard";
    if (!of_fan_out) out = state.call(operation, body, now + ahead.count());
  } catch (refusal const& e) {
    if (e.type == "ProvisionedThroughputExceededException") ++refused;
    answer_with(operation, e.type, e.message, e.status);
  }
  if (!fault) return out;
  if (fault->what == kind::garbage) return fault->message;
  throw error(weir::errc::unavailable, "http: POST failed", "the connection was closed in the middle of the reply");
}

task<std::string> simulated_kinesis::answer(std::string operation, std::string body) {
  context const& own = co_await current_context();
  counted const one(*this);
  co_await sleep_for(latency / 2);
  std::string out = answer_now(operation, body, own.clock().now());
  co_await sleep_for(latency / 2);
  co_return out;
}

task<std::vector<kinesis::shard>> simulated_kinesis::list_shards(std::string stream) {
  std::vector<kinesis::shard> out;
  std::string token;
  do {
    request_text request;
    if (token.empty()) request.add_stream(stream);
    else request.add("NextToken", token);
    task<std::string> asking = answer("ListShards", request.take());
    std::string const body = co_await std::move(asking);
    for (kinesis::shard& s : kinesis::detail::read_shards(body, token)) out.push_back(std::move(s));
  } while (!token.empty());
  co_return out;
}

task<std::string> simulated_kinesis::get_shard_iterator(std::string stream, std::string shard_id, kinesis::starting_position from) {
  request_text request;
  request.add_stream(stream).add("ShardId", shard_id);
  using enum kinesis::starting_position::type;
  switch (from.which()) {
    case trim_horizon: request.add("ShardIteratorType", "TRIM_HORIZON"); break;
    case latest: request.add("ShardIteratorType", "LATEST"); break;
    case at_timestamp: request.add("ShardIteratorType", "AT_TIMESTAMP").add_time("Timestamp", from.time()); break;
    case at_sequence_number:
      request.add("ShardIteratorType", "AT_SEQUENCE_NUMBER").add("StartingSequenceNumber", from.sequence_number());
      break;
    case after_sequence_number:
      request.add("ShardIteratorType", "AFTER_SEQUENCE_NUMBER").add("StartingSequenceNumber", from.sequence_number());
      break;
  }
  task<std::string> asking = answer("GetShardIterator", request.take());
  std::string const body = co_await std::move(asking);
  co_return kinesis::detail::read_iterator(body);
}

task<kinesis::record_batch> simulated_kinesis::get_records(std::string iterator, std::size_t limit) {
  task<std::string> asking = answer("GetRecords", request_text().add("ShardIterator", iterator).add("Limit", limit).take());
  std::string body = co_await std::move(asking);
  co_return decoder_.decode(std::move(body));
}

}  // namespace weir::test
