#pragma once
#include <weir/kinesis/client_options.hpp>
#include <weir/kinesis/record_batch.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/kinesis/stream_consumer.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace weir::kinesis {

/// What reading a stream takes: operations as `client` has them. A test puts something of its own in place of Kinesis by it, in
/// virtual time. From one strand.
class shard_service {
public:
  shard_service() = default;
  shard_service(shard_service const&) = delete;
  shard_service& operator=(shard_service const&) = delete;
  virtual ~shard_service() = default;

  virtual task<std::vector<shard>> list_shards(std::string stream) = 0;
  virtual task<std::string> get_shard_iterator(std::string stream, std::string shard_id, starting_position from) = 0;
  virtual task<record_batch> get_records(std::string iterator, std::size_t limit) = 0;

  /// How far its clock is ahead of ours, rather less than more (`client::clock_ahead`), so that a start at the tip is found again by time.
  virtual std::chrono::nanoseconds clock_ahead() const noexcept { return {}; }

  /// For enhanced fan-out. `stream` is a name or an ARN. A service that does not have it fails with `kinesis::errc::unknown_operation`,
  /// unless it says otherwise.
  virtual task<stream_consumer> register_consumer(std::string stream, std::string name);
  virtual task<stream_consumer> describe_consumer(std::string stream, std::string name);
  virtual task<stream<record_batch>> subscribe_to_shard(std::string consumer_arn, std::string shard_id, starting_position from);
};

/// Kinesis itself, each call made once: who reads decides when it is made again. Throws what `client` throws.
std::shared_ptr<shard_service> make_shard_service(client_options how);

}  // namespace weir::kinesis
