#pragma once
#include <weir/kinesis/lease.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace weir::kinesis {

/// One conditional write of a row of the lease table. Each has as its condition that the row's counter is the one that `before` has (so
/// that nobody has written since), and what is said beside it; each but `create`, `erase` and `ask_for` adds one to it. (A worker of KCL
/// that is asked renews by the counter it knows, and gives up at once where there is another: `leaseLost`, without a checkpoint.)
enum class lease_write_kind : std::uint8_t {
  create,      ///< makes the row, if there is none
  renew,       ///< nothing but the counter; by the checkpoint owner, if there is one, else by the owner
  checkpoint,  ///< moves the checkpoint; by whom `renew` is
  take,        ///< becomes the owner, at once, whoever was it before
  ask_for,     ///< becomes the owner while the one before goes on as checkpoint owner, until it hands over
  hand_over,   ///< by the checkpoint owner: it has finished, the owner may begin
  evict,       ///< by the owner: does not wait for the checkpoint owner any longer
  let_go,      ///< by the owner: nobody is
  erase,       ///< deletes the row of a shard that has ended; its checkpoint is SHARD_END
};

/// A write: what it builds on and what it makes of it. A value.
class lease_write {
public:
  /// `before`: the row as the writer knows it; of `create`, the row to be made. `worker`: who writes.
  lease_write(lease_write_kind what, lease before, std::string worker) noexcept
      : what_(what), before_(std::move(before)), worker_(std::move(worker)) {}
  /// To `to`, and, where `to` is SHARD_END, with the shards it ended in.
  static lease_write checkpoint(lease before, std::string worker, lease_checkpoint to, std::set<std::string> children = {}) noexcept {
    lease_write out(lease_write_kind::checkpoint, std::move(before), std::move(worker));
    out.to_ = std::move(to);
    out.children_ = std::move(children);
    return out;
  }

  lease_write_kind what() const noexcept { return what_; }
  std::string const& key() const noexcept { return before_.key; }
  lease const& before() const noexcept { return before_; }
  std::string const& worker() const noexcept { return worker_; }
  lease_checkpoint const& to() const noexcept { return to_; }
  std::set<std::string> const& children() const noexcept { return children_; }
  /// The row once it is done; of `erase`, as it was.
  lease after() const;

private:
  lease_write_kind what_;
  lease before_;
  std::string worker_;
  lease_checkpoint to_;
  std::set<std::string> children_;
};

}  // namespace weir::kinesis
