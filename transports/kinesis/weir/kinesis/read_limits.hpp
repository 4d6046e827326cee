#pragma once
#include <weir/instant.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace weir::kinesis {

/// What a shard lets itself be read: together by all who read it. A value.
/// Source: "Quotas and limits" and "GetRecords", Kinesis Data Streams: 5 calls and 2 MiB a second.
struct read_rate {
  read_rate() noexcept = default;
  read_rate(double calls, double bytes) noexcept : calls_per_second(calls), bytes_per_second(bytes) {}
  double calls_per_second = 5;                  ///< > 0
  double bytes_per_second = 2.0 * 1024 * 1024;  ///< > 0
};

/// When one shard may be read next, whoever does it. Thread-safe.
class shard_allowance {
public:
  explicit shard_allowance(read_rate r) noexcept : rate_(r) {}
  /// Takes the next turn and says when it is: now or later, as long after the one before as calls must be apart.
  instant take_turn(instant now);
  /// A reply had so many bytes: the next turn is when they are paid for. A reply of 10 MiB costs five seconds.
  void spend(std::size_t bytes, instant now);

private:
  std::mutex lock_;
  read_rate const rate_;
  instant next_ = start_of_time;
};

/// The allowances of all shards that a process reads, so that several pipelines on one stream keep to the limits together. They are
/// forgotten when nobody has them any more. Thread-safe.
class read_limits {
public:
  explicit read_limits(read_rate r = {}) noexcept : rate_(r) {}
  /// Those by `read_rate`'s defaults that this process has, for as long as somebody has them.
  static std::shared_ptr<read_limits> of_this_process();
  /// `stream`: whatever tells streams apart, region included.
  std::shared_ptr<shard_allowance> of(std::string const& stream, std::string const& shard_id);

private:
  std::mutex lock_;
  read_rate const rate_;
  std::map<std::pair<std::string, std::string>, std::weak_ptr<shard_allowance>> all_;
  std::size_t purge_at_ = 64;
};

}  // namespace weir::kinesis
