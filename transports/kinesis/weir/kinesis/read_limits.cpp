#include <weir/kinesis/read_limits.hpp>

#include <algorithm>
#include <utility>

namespace weir::kinesis {
namespace {

instant after(instant from, double seconds) { return from + static_cast<instant>(seconds * 1e9); }

}  // namespace

instant shard_allowance::take_turn(instant now) {
  std::lock_guard const held(lock_);
  instant const turn = std::max(now, next_);
  next_ = after(turn, 1 / rate_.calls_per_second);
  return turn;
}

void shard_allowance::spend(std::size_t bytes, instant now) {
  std::lock_guard const held(lock_);
  next_ = std::max(next_, after(now, static_cast<double>(bytes) / rate_.bytes_per_second));
}

std::shared_ptr<read_limits> read_limits::of_this_process() {
  static std::mutex lock;
  static std::weak_ptr<read_limits> known;
  std::lock_guard const held(lock);
  std::shared_ptr<read_limits> out = known.lock();
  if (!out) known = out = std::make_shared<read_limits>();
  return out;
}

std::shared_ptr<shard_allowance> read_limits::of(std::string const& stream, std::string const& shard_id) {
  std::lock_guard const held(lock_);
  if (all_.size() >= purge_at_) {
    std::erase_if(all_, [](auto const& one) { return one.second.expired(); });
    purge_at_ = 2 * all_.size() + 64;
  }
  std::weak_ptr<shard_allowance>& known = all_[std::pair(stream, shard_id)];
  std::shared_ptr<shard_allowance> out = known.lock();
  if (!out) known = out = std::make_shared<shard_allowance>(rate_);
  return out;
}

}  // namespace weir::kinesis
