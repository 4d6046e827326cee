#pragma once
#include <weir/kinesis/client_options.hpp>
#include <weir/kinesis/record_batch.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace weir::kinesis {

/// What reading a stream takes: three operations, as `client` has them. A test puts something of its own in place of Kinesis by it, in
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
};

/// Kinesis itself, each call made once: who reads decides when it is made again. Throws what `client` throws.
std::shared_ptr<shard_service> make_shard_service(client_options how);

}  // namespace weir::kinesis
