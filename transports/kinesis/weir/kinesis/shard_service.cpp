#include <weir/kinesis/shard_service.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/errc.hpp>

#include <utility>

namespace weir::kinesis {
namespace {

[[noreturn]] void throw_unknown(char const* operation) {
  throw error(errc::unknown_operation, std::string("kinesis: ") + operation + " failed", "this service has no enhanced fan-out");
}

class called_service final : public shard_service {
public:
  explicit called_service(client c) : client_(std::move(c)) {}
  task<std::vector<shard>> list_shards(std::string stream) override { return client_.list_shards(std::move(stream)); }
  task<std::string> get_shard_iterator(std::string stream, std::string shard_id, starting_position from) override {
    return client_.get_shard_iterator(std::move(stream), std::move(shard_id), std::move(from));
  }
  task<record_batch> get_records(std::string iterator, std::size_t limit) override {
    return client_.get_records(std::move(iterator), limit);
  }
  std::chrono::nanoseconds clock_ahead() const noexcept override { return client_.clock_ahead(); }
  task<stream_consumer> register_consumer(std::string stream, std::string name) override {
    std::string const arn = co_await arn_of(std::move(stream));
    stream_consumer out = co_await client_.register_stream_consumer(arn, std::move(name));
    co_return out;
  }
  task<stream_consumer> describe_consumer(std::string stream, std::string name) override {
    std::string const arn = co_await arn_of(std::move(stream));
    stream_consumer out = co_await client_.describe_stream_consumer(arn, std::move(name));
    co_return out;
  }
  task<weir::stream<record_batch>> subscribe_to_shard(std::string consumer_arn, std::string shard_id, starting_position from) override {
    return client_.subscribe_to_shard(std::move(consumer_arn), std::move(shard_id), std::move(from));
  }

private:
  task<std::string> arn_of(std::string stream) {
    if (stream.starts_with("arn:")) co_return stream;
    if (arn_.empty()) {
      stream_summary const found = co_await client_.describe_stream_summary(std::move(stream));
      arn_ = found.arn;
    }
    co_return arn_;
  }

  client const client_;
  std::string arn_;  // of the one stream that is read
};

}  // namespace

task<stream_consumer> shard_service::register_consumer(std::string /*stream*/, std::string /*name*/) {
  throw_unknown("RegisterStreamConsumer");
}
task<stream_consumer> shard_service::describe_consumer(std::string /*stream*/, std::string /*name*/) {
  throw_unknown("DescribeStreamConsumer");
}
task<stream<record_batch>> shard_service::subscribe_to_shard(std::string /*arn*/, std::string /*shard_id*/, starting_position /*from*/) {
  throw_unknown("SubscribeToShard");
}

std::shared_ptr<shard_service> make_shard_service(client_options how) {
  how.retry = retry_policy().attempts(1);
  return std::make_shared<called_service>(client(std::move(how)));
}

}  // namespace weir::kinesis
