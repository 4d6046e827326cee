#pragma once
#include "support/kinesis_fault.hpp"
#include "support/kinesis_protocol.hpp"

#include <weir/kinesis/record_decoder.hpp>
#include <weir/kinesis/shard_service.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// Kinesis without a network, in the pipeline's time: a call takes 10 ms, what shards allow is held to, and calls fail as they are told.
/// What is called is written down. Subscriptions send an event each second, their faults are those of the operation "event". Strand only.
class simulated_kinesis : public kinesis::shard_service {
public:
  struct call {
    std::string operation, body;
    instant at;
  };
  static kinesis_protocol::options limited() {
    kinesis_protocol::options o;
    o.limits = true;
    return o;
  }
  explicit simulated_kinesis(kinesis_protocol::options o = limited()) : state(o) {}

  task<std::vector<kinesis::shard>> list_shards(std::string stream) override;
  task<std::string> get_shard_iterator(std::string stream, std::string shard_id, kinesis::starting_position from) override;
  task<kinesis::record_batch> get_records(std::string iterator, std::size_t limit) override;
  std::chrono::nanoseconds clock_ahead() const noexcept override { return ahead; }

  task<kinesis::stream_consumer> register_consumer(std::string stream, std::string name) override;
  task<kinesis::stream_consumer> describe_consumer(std::string stream, std::string name) override;
  task<stream<kinesis::record_batch>> subscribe_to_shard(std::string consumer_arn, std::string shard_id,
                                                         kinesis::starting_position from) override;

  /// The next `times` calls of an operation fail so, behind those that were said before; `after`: so many good ones come first.
  void fail(std::string const& operation, kinesis_fault f, std::size_t times = 1, std::size_t after = 0);
  std::size_t calls(std::string const& operation) const;

  kinesis_protocol state;
  std::function<void(call const&)> before;  ///< each call: for what happens in between
  std::chrono::nanoseconds latency = std::chrono::milliseconds(10);
  std::chrono::nanoseconds ahead{};  ///< how far the service's clock is ahead of the pipeline's
  std::vector<call> seen;
  std::chrono::nanoseconds activation = std::chrono::seconds(3);    ///< of a consumer that is registered
  std::chrono::nanoseconds subscription = std::chrono::minutes(5);  ///< how long one lives
  std::size_t most_event = 1'000;                                   ///< records of an event
  bool ends_subscriptions = true;                                   ///< false: empty events for ever behind a closed shard, as kinesis-mock
  std::map<std::string, instant> consumers;                         ///< by ARN, and since when they are active
  std::size_t refused = 0;                                          ///< by the service itself, since a shard was read too often
  std::size_t under_way = 0;                                        ///< calls
  std::size_t most_under_way = 0;

private:
  task<std::string> answer(std::string operation, std::string body);
  struct subscribed_shard;
  stream<kinesis::record_batch> events(std::shared_ptr<subscribed_shard> of);
  std::optional<kinesis_fault> next_fault(std::string const& operation);
  std::string answer_now(std::string const& operation, std::string const& body, instant now);
  kinesis::record_decoder decoder_;
  std::map<std::string, std::deque<std::optional<kinesis_fault>>> faults_;
  std::map<std::string, instant> subscribed_;  // ARN and shard, and when
};

}  // namespace weir::test
