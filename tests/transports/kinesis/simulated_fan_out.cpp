#include "simulated_kinesis.hpp"

#include "support/refusal.hpp"

#include <weir/aws/service_error.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/request_text.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/sleep.hpp>

#include <span>
#include <utility>

namespace weir::test {
namespace {

using namespace std::chrono_literals;

[[noreturn]] void refuse_with(std::string const& operation, std::string type, std::string message) {
  aws::service_error said;
  said.code = std::move(type);
  said.message = std::move(message);
  said.status = 400;
  throw aws::to_error(said, "kinesis: " + operation + " failed", kinesis::code_of(said.code));
}

std::string arn_of(std::string const& stream, std::string const& name) {
  return "arn:aws:kinesis:us-east-1:000000000000:stream/" + stream + "/consumer/" + name + ":1";
}

}  // namespace

// A subscription.
struct simulated_kinesis::subscribed_shard {
  std::string stream, shard, iterator, continuation;
  instant until = 0;
};

task<kinesis::stream_consumer> simulated_kinesis::describe_consumer(std::string stream, std::string name) {
  task<std::string> asking = answer("DescribeStreamConsumer", kinesis::detail::request_text().add("ConsumerName", name).take());
  (void)co_await std::move(asking);
  context const& own = co_await current_context();
  kinesis::stream_consumer out;
  out.name = name;
  out.arn = arn_of(stream, name);
  auto const found = consumers.find(out.arn);
  if (found == consumers.end()) refuse_with("DescribeStreamConsumer", "ResourceNotFoundException", "Consumer " + name + " not found.");
  out.status = found->second <= own.clock().now() ? kinesis::consumer_status::active : kinesis::consumer_status::creating;
  co_return out;
}

task<kinesis::stream_consumer> simulated_kinesis::register_consumer(std::string stream, std::string name) {
  task<std::string> asking = answer("RegisterStreamConsumer", kinesis::detail::request_text().add("ConsumerName", name).take());
  (void)co_await std::move(asking);
  context const& own = co_await current_context();
  kinesis::stream_consumer out;
  out.name = name;
  out.arn = arn_of(stream, name);
  if (!consumers.emplace(out.arn, own.clock().now() + activation.count()).second)
    refuse_with("RegisterStreamConsumer", "ResourceInUseException", "Consumer " + name + " already exists.");
  out.status = kinesis::consumer_status::creating;
  co_return out;
}

task<stream<kinesis::record_batch>> simulated_kinesis::subscribe_to_shard(std::string consumer_arn, std::string shard_id,
                                                                          kinesis::starting_position from) {
  kinesis::detail::request_text body;
  body.add("ShardId", shard_id).add("From", std::to_string(static_cast<int>(from.which()))).add("Number", from.sequence_number());
  task<std::string> asking = answer("SubscribeToShard", body.take());
  (void)co_await std::move(asking);
  context const& own = co_await current_context();
  instant const now = own.clock().now();
  auto const found = consumers.find(consumer_arn);
  if (found == consumers.end() || found->second > now)
    refuse_with("SubscribeToShard", "ResourceNotFoundException", "ConsumerARN " + consumer_arn + " not found.");
  auto const last = subscribed_.find(consumer_arn + shard_id);
  if (last != subscribed_.end() && now - last->second < std::chrono::nanoseconds(5s).count())
    refuse_with("SubscribeToShard", "ResourceInUseException", "Another active subscription exists for this consumer.");
  auto const of = std::make_shared<subscribed_shard>();
  of->stream = "ticks";
  of->shard = shard_id;
  of->until = now + subscription.count();
  task<std::string> beginning = get_shard_iterator(of->stream, shard_id, from);
  of->iterator = co_await std::move(beginning);
  subscribed_[consumer_arn + shard_id] = now;
  kinesis_stream::shard const& s = state.stream(of->stream).at(shard_id);
  of->continuation = s.sequence_number(s.first);
  if (from.which() == kinesis::starting_position::type::latest && !s.records.empty())
    of->continuation = s.sequence_number(s.records.back().number);
  if (!from.sequence_number().empty()) of->continuation = from.sequence_number();
  stream<kinesis::record_batch> out = events(of);
  co_return out;
}

stream<kinesis::record_batch> simulated_kinesis::events(std::shared_ptr<subscribed_shard> of) {
  context const& own = co_await current_context();
  for (;;) {
    std::optional<kinesis_fault> const fault = next_fault("event");
    using kind = kinesis_fault::kind;
    if (fault && fault->what == kind::refuse) refuse_with("SubscribeToShard", fault->type, fault->message);
    if (fault && fault->what == kind::close)
      throw error(weir::errc::unavailable, "kinesis: SubscribeToShard failed", "the connection was lost");
    if (fault && fault->what == kind::hang) {
      co_await sleep_for(20s);
      throw error(weir::errc::timed_out, "http: no more of the reply", "not done within 20000 ms");
    }
    if (fault && fault->what == kind::late) co_return;  // it ends by itself
    kinesis::record_batch batch;
    if (!of->iterator.empty()) {
      std::string const body =
          state.call("GetRecords", kinesis::detail::request_text().add("ShardIterator", of->iterator).add("Limit", most_event).take(),
                     own.clock().now() + ahead.count());
      batch = decoder_.decode(body);
      of->iterator = std::exchange(batch.next_iterator, {});
    }
    if (!batch.records.empty()) of->continuation = kinesis::sequence_number_of(batch.records.back().position);
    bool const last = of->iterator.empty() && ends_subscriptions;
    if (!last) {
      batch.children.clear();
      batch.continuation = fault && fault->what == kind::garbage ? fault->message : of->continuation;
    }
    if (!batch.behind) batch.behind = 0ms;
    bool const empty = batch.records.empty();
    std::span<kinesis::record_batch> const one(&batch, 1);
    co_yield one;
    if (last || own.clock().now() >= of->until) co_return;
    if (empty) co_await sleep_for(1s);
  }
}

}  // namespace weir::test
