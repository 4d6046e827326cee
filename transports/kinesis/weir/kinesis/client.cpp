#include <weir/kinesis/client.hpp>

#include <weir/aws/credentials_chain.hpp>
#include <weir/aws/event_stream_client.hpp>
#include <weir/aws/json_client.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/put_body.hpp>
#include <weir/kinesis/detail/replies.hpp>
#include <weir/kinesis/detail/request_text.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/record_decoder.hpp>
#include <weir/sleep.hpp>

#include <mutex>
#include <span>
#include <string_view>
#include <utility>

namespace weir::kinesis {
namespace {

aws::json_client_options how_to_call(client_options const& o) {
  aws::json_client_options out;
  out.of = {"kinesis", "kinesis"};
  out.target = "Kinesis_20131202";
  out.content_type = "application/x-amz-json-1.1";
  out.where = aws::resolve(out.of, o.where, o.from);
  retry_policy const usual = retry_policy().attempts(3).first_delay(std::chrono::seconds(1));
  out.retry = aws::resolve_retries(o.retry_mode, o.retry, usual, o.where.profile, o.from);
  out.http = o.http;
  out.own_code = code_of;
  return out;
}

net::http2_options how_to_subscribe(client_options const& o) {
  net::http2_options out = o.http2;
  out.http = o.http;
  return out;
}

aws::credentials_cache keys_of(client_options const& o) {
  return o.credentials ? *o.credentials : aws::credentials_cache(aws::credentials_chain::standard(o.from));
}

std::string_view name_of(shard_filter::type t) noexcept {
  switch (t) {
    case shard_filter::type::none: break;
    case shard_filter::type::at_trim_horizon: return "AT_TRIM_HORIZON";
    case shard_filter::type::from_trim_horizon: return "FROM_TRIM_HORIZON";
    case shard_filter::type::at_latest: return "AT_LATEST";
    case shard_filter::type::at_timestamp: return "AT_TIMESTAMP";
    case shard_filter::type::from_timestamp: return "FROM_TIMESTAMP";
    case shard_filter::type::after_shard_id: return "AFTER_SHARD_ID";
  }
  return {};
}

std::string filter_text(shard_filter const& f) {
  detail::request_text out;
  out.add("Type", name_of(f.which()));
  if (f.which() == shard_filter::type::at_timestamp || f.which() == shard_filter::type::from_timestamp) out.add_time("Timestamp", f.time());
  if (f.which() == shard_filter::type::after_shard_id) out.add("ShardId", f.shard_id());
  return out.take();
}

// A place in a shard, with the names that an operation has for its parts.
void add_place(detail::request_text& to, std::string_view type, std::string_view sequence_number, starting_position const& from) {
  using enum starting_position::type;
  switch (from.which()) {
    case trim_horizon: to.add(type, "TRIM_HORIZON"); break;
    case latest: to.add(type, "LATEST"); break;
    case at_timestamp: to.add(type, "AT_TIMESTAMP").add_time("Timestamp", from.time()); break;
    case at_sequence_number: to.add(type, "AT_SEQUENCE_NUMBER").add(sequence_number, from.sequence_number()); break;
    case after_sequence_number: to.add(type, "AFTER_SEQUENCE_NUMBER").add(sequence_number, from.sequence_number()); break;
  }
}

std::string iterator_request(std::string_view stream, std::string_view shard_id, starting_position const& from) {
  detail::request_text out;
  out.add_stream(stream).add("ShardId", shard_id);
  add_place(out, "ShardIteratorType", "StartingSequenceNumber", from);
  return out.take();
}

std::string subscription_request(std::string_view consumer_arn, std::string_view shard_id, starting_position const& from) {
  detail::request_text out, place;
  add_place(place, "Type", "SequenceNumber", from);
  return out.add("ConsumerARN", consumer_arn).add("ShardId", shard_id).add_json("StartingPosition", place.take()).take();
}

std::string consumer_request(std::string_view stream_arn, std::string_view name) {
  return detail::request_text().add("StreamARN", stream_arn).add("ConsumerName", name).take();
}

}  // namespace

struct client::parts {
  explicit parts(client_options const& o) : parts(o, keys_of(o)) {}
  parts(client_options const& o, aws::credentials_cache const& keys)
      : calls(how_to_call(o), keys), subscriptions(how_to_call(o), how_to_subscribe(o), keys) {}

  // Calls, and says of what it fails.
  static task<std::string> call(std::shared_ptr<parts> p, std::string operation, std::string body, std::string stream,
                                std::string shard = {}) {
    try {
      co_return co_await p->calls.call(std::move(operation), std::move(body));
    } catch (error& e) {
      if (!stream.empty()) e.with_stream(std::move(stream));
      if (!shard.empty()) e.with_partition(std::move(shard));
      throw;
    }
  }
  static task<> call_only(std::shared_ptr<parts> p, std::string operation, std::string body, std::string stream, std::string shard = {}) {
    co_await call(std::move(p), std::move(operation), std::move(body), std::move(stream), std::move(shard));
  }

  // By a decoder that nobody uses: as many are kept as decode at a time, each on a thread of its own. `what`: the body is.
  record_batch decode(std::string_view body, char const* what) {
    record_decoder d = take_decoder();
    record_batch out;
    try {
      out = d.decode(body);
    } catch (error& e) {
      e.with_detail(what);
      throw;
    }
    std::lock_guard const held(lock);
    idle.push_back(std::move(d));
    return out;
  }
  record_decoder take_decoder() {
    std::lock_guard const held(lock);
    if (idle.empty()) return {};
    record_decoder d = std::move(idle.back());
    idle.pop_back();
    return d;
  }

  static task<std::vector<shard>> all_pages(std::shared_ptr<parts> p, std::string stream, shard_filter which, std::size_t page) {
    std::vector<shard> out;
    std::string token;
    do {
      detail::request_text request;
      if (token.empty()) {
        request.add_stream(stream);
        if (which.which() != shard_filter::type::none) request.add_json("ShardFilter", filter_text(which));
      } else {
        request.add("NextToken", token);
      }
      request.add("MaxResults", page);
      std::string const body = co_await call(p, "ListShards", request.take(), stream);
      for (shard& s : detail::read_shards(body, token)) out.push_back(std::move(s));
    } while (!token.empty());
    co_return out;
  }
  static task<std::vector<shard>> list_shards(std::shared_ptr<parts> p, std::string stream, shard_filter which, std::size_t page) {
    try {
      co_return co_await all_pages(p, stream, which, page);
    } catch (error const& e) {
      if (e.code() != errc::expired_next_token) throw;
    }
    co_return co_await all_pages(p, stream, which, page);
  }

  static task<stream_summary> describe(std::shared_ptr<parts> p, std::string stream) {
    std::string const body = co_await call(std::move(p), "DescribeStreamSummary", detail::request_text().add_stream(stream).take(), stream);
    co_return detail::read_summary(body);
  }
  static task<> wait_until_active(std::shared_ptr<parts> p, std::string stream, std::chrono::nanoseconds longest) {
    context const& own = co_await current_context();
    instant const end = own.clock().now() + longest.count();
    for (;;) {
      stream_summary const now = co_await describe(p, stream);
      if (now.status == stream_status::active) co_return;
      if (own.clock().now() >= end) break;
      co_await sleep_for(std::chrono::milliseconds(500));
    }
    throw error(weir::errc::timed_out, "kinesis: the stream is not active",
                "it was not for " + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(longest).count()) + " s")
        .with_stream(std::move(stream));
  }

  static task<std::string> iterator(std::shared_ptr<parts> p, std::string stream, std::string shard, starting_position from) {
    std::string request = iterator_request(stream, shard, from);
    std::string const body = co_await call(std::move(p), "GetShardIterator", std::move(request), std::move(stream), std::move(shard));
    co_return detail::read_iterator(body);
  }
  static task<record_batch> records(std::shared_ptr<parts> p, std::string iterator, std::size_t limit) {
    std::string request = detail::request_text().add("ShardIterator", iterator).add("Limit", limit).take();
    std::string const body = co_await call(p, "GetRecords", std::move(request), std::string());
    co_return p->decode(body, "reply to GetRecords");
  }
  static task<stream_consumer> consumer(std::shared_ptr<parts> p, std::string operation, std::string body, std::string stream) {
    std::string const reply = co_await call(std::move(p), std::move(operation), std::move(body), std::move(stream));
    co_return detail::read_consumer(reply);
  }
  static task<stream<record_batch>> subscribe(std::shared_ptr<parts> p, std::string body, std::string shard) {
    try {
      task<stream<aws::event_message>> opening = p->subscriptions.open("SubscribeToShard", std::move(body));
      stream<aws::event_message> events = co_await std::move(opening);
      stream<record_batch> batches = batches_of(p, std::move(events), shard);
      co_return batches;
    } catch (error& e) {
      e.with_partition(std::move(shard));
      throw;
    }
  }
  static stream<record_batch> batches_of(std::shared_ptr<parts> p, stream<aws::event_message> events, std::string shard) {
    for (;;) {
      record_batch batch;
      try {
        aws::event_message const* const m = co_await events.next();
        if (!m) co_return;
        if (m->text(":event-type") != "SubscribeToShardEvent") continue;  // of a later version
        batch = p->decode(m->payload, "event of SubscribeToShard");
      } catch (error& e) {
        if (e.code() != condition::cancelled) e.with_partition(shard);
        throw;
      }
      std::span<record_batch> const one(&batch, 1);
      co_yield one;
    }
  }
  static task<put_result> put_one(std::shared_ptr<parts> p, std::string body, std::string stream) {
    std::string const reply = co_await call(std::move(p), "PutRecord", std::move(body), std::move(stream));
    co_return detail::read_put_record(reply);
  }
  static task<std::vector<put_result>> put_all(std::shared_ptr<parts> p, std::string body, std::string stream, std::size_t count) {
    std::string const reply = co_await call(std::move(p), "PutRecords", std::move(body), std::move(stream));
    co_return detail::read_put_records(reply, count);
  }

  aws::json_client const calls;
  aws::event_stream_client const subscriptions;
  std::mutex lock;
  std::vector<record_decoder> idle;
};

client::client(client_options options) : parts_(std::make_shared<parts>(options)) {}

task<stream_summary> client::describe_stream_summary(std::string stream) const { return parts::describe(parts_, std::move(stream)); }

task<std::vector<shard>> client::list_shards(std::string stream, shard_filter which, std::size_t page) const {
  return parts::list_shards(parts_, std::move(stream), std::move(which), page);
}

task<std::string> client::get_shard_iterator(std::string stream, std::string shard_id, starting_position from) const {
  return parts::iterator(parts_, std::move(stream), std::move(shard_id), std::move(from));
}

task<record_batch> client::get_records(std::string iterator, std::size_t limit) const {
  return parts::records(parts_, std::move(iterator), limit);
}

task<stream_consumer> client::register_stream_consumer(std::string stream_arn, std::string name) const {
  std::string body = consumer_request(stream_arn, name);
  return parts::consumer(parts_, "RegisterStreamConsumer", std::move(body), std::move(stream_arn));
}

task<stream_consumer> client::describe_stream_consumer(std::string stream_arn, std::string name) const {
  std::string body = consumer_request(stream_arn, name);
  return parts::consumer(parts_, "DescribeStreamConsumer", std::move(body), std::move(stream_arn));
}

task<> client::deregister_stream_consumer(std::string consumer_arn) const {
  std::string body = detail::request_text().add("ConsumerARN", consumer_arn).take();
  return parts::call_only(parts_, "DeregisterStreamConsumer", std::move(body), std::string());
}

task<stream<record_batch>> client::subscribe_to_shard(std::string consumer_arn, std::string shard_id, starting_position from) const {
  std::string body = subscription_request(consumer_arn, shard_id, from);
  return parts::subscribe(parts_, std::move(body), std::move(shard_id));
}

task<put_result> client::put_record(std::string stream, outgoing_record record) const {
  std::string body = detail::put_record_body(stream, record);
  return parts::put_one(parts_, std::move(body), std::move(stream));
}

task<std::vector<put_result>> client::put_records(std::string stream, std::span<outgoing_record const> records) const {
  std::string body = detail::put_records_body(stream, records);
  return parts::put_all(parts_, std::move(body), std::move(stream), records.size());
}

task<> client::create_stream(std::string name, std::size_t shards) const {
  std::string body = detail::request_text().add_stream(name).add("ShardCount", shards).take();
  return parts::call_only(parts_, "CreateStream", std::move(body), std::move(name));
}

task<> client::delete_stream(std::string stream) const {
  std::string body = detail::request_text().add_stream(stream).add_json("EnforceConsumerDeletion", "true").take();
  return parts::call_only(parts_, "DeleteStream", std::move(body), std::move(stream));
}

task<> client::wait_until_active(std::string stream, std::chrono::nanoseconds longest) const {
  return parts::wait_until_active(parts_, std::move(stream), longest);
}

task<> client::split_shard(std::string stream, std::string shard_id, hash_key at) const {
  std::string body = detail::request_text().add_stream(stream).add("ShardToSplit", shard_id).add("NewStartingHashKey", at.text()).take();
  return parts::call_only(parts_, "SplitShard", std::move(body), std::move(stream), std::move(shard_id));
}

task<> client::merge_shards(std::string stream, std::string shard_id, std::string adjacent_id) const {
  std::string body =
      detail::request_text().add_stream(stream).add("ShardToMerge", shard_id).add("AdjacentShardToMerge", adjacent_id).take();
  return parts::call_only(parts_, "MergeShards", std::move(body), std::move(stream), std::move(shard_id));
}

task<> client::update_shard_count(std::string stream, std::size_t target) const {
  std::string body = detail::request_text().add_stream(stream).add("TargetShardCount", target).add("ScalingType", "UNIFORM_SCALING").take();
  return parts::call_only(parts_, "UpdateShardCount", std::move(body), std::move(stream));
}

std::chrono::nanoseconds client::clock_ahead() const noexcept { return parts_->calls.clock_ahead(); }

}  // namespace weir::kinesis
