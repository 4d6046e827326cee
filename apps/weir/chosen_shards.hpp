#pragma once

#include <weir/kinesis/shard_service.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace kinesis_tool {

/// A stream as if it had a few of its shards only, which came of none: so these are read at once, and the others left alone.
class chosen_shards final : public weir::kinesis::shard_service {
public:
  chosen_shards(std::shared_ptr<weir::kinesis::shard_service> all, std::vector<std::string> const& ids);

  /// Fails with `errc::not_found` when the stream lacks one of them.
  weir::task<std::vector<weir::kinesis::shard>> list_shards(std::string stream) override;
  weir::task<std::string> get_shard_iterator(std::string stream, std::string shard_id, weir::kinesis::starting_position from) override;
  weir::task<weir::kinesis::record_batch> get_records(std::string iterator, std::size_t limit) override;
  std::chrono::nanoseconds clock_ahead() const noexcept override { return all_->clock_ahead(); }

private:
  std::shared_ptr<weir::kinesis::shard_service> all_;
  std::set<std::string> ids_;
};

/// Those of `all` that are named; all of them where none is. Throws `errc::not_found` when there is none of a name.
std::vector<weir::kinesis::shard> choose(std::vector<weir::kinesis::shard> all, std::set<std::string> const& ids,
                                         std::string const& stream);

}  // namespace kinesis_tool
