#pragma once
#include <weir/kinesis/lease.hpp>
#include <weir/kinesis/lease_event.hpp>
#include <weir/kinesis/lease_options.hpp>
#include <weir/kinesis/lease_write.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace weir::kinesis {

/// One worker's part in sharing the leases of a table: rows and time in, conditional writes and events out. Does no I/O, and knows no
/// clock but the times it is told, which are those of one clock that never goes back.
/// ```cpp
/// worker.saw(co_await table.scan(), began, now);                       // when look_due() has come
/// for (lease_write const& w : worker.due(now)) ...                     // each is sent, and then exactly one of
/// worker.done(w, now);  worker.refused(w, row, now);  worker.unknown(w, now);
/// for (lease_event& e : worker.take_events()) ...
/// ```
/// It holds a lease from `gained` to `lost`, `ended`, `hand_over` or `let_go`; no other worker does meanwhile, as long as clocks run
/// equally fast, and none can move the checkpoint, whatever clocks do. There is at most one write under way for each lease, so that
/// renewals and checkpoints do not stand in each other's way. A write of which it is not known whether it was done is made again by the
/// same condition, and that the row is as the write makes it says that it was. A lease that could not be renewed for the time of failover
/// is lost, whatever the table says. The table is looked at four times in the time of failover, and when a lease of another runs out: by
/// what it has seen, since nothing in a row says when it was written. So what a dead worker had is taken within 1.25 times the time of
/// failover after its last renewal.
///
/// It never waits, throws (once it is made) only when memory ends, and is used on one strand.
/// State: the rows of the table. Source: LeaseCoordinator, LeaseRenewer and LeaseTaker of KCL 2 and 3.5 (research: issues #59, #108,
/// #1743).
class lease_worker {
public:
  using time = std::chrono::nanoseconds;
  /// Whether a checkpoint will be written.
  enum class answer : std::uint8_t {
    queued,
    not_held,   ///< the lease is not ours
    backwards,  ///< the table has a later one
  };

  /// `name`: of this run of the worker, and of no other. `seed`: for which leases are taken first. Throws `errc::invalid_option`.
  lease_worker(std::string name, lease_options options, std::uint64_t seed);

  /// All leases of the table, as a scan found them that had begun then.
  void saw(std::vector<lease> rows, time began, time now);
  /// The writes to be sent now.
  std::vector<lease_write> due(time now);
  /// What came of a write.
  void done(lease_write const& w, time now);
  /// Its condition did not hold. `stored`: the row as it is; null: there is none.
  void refused(lease_write const& w, std::optional<lease> stored, time now);
  /// It may have been done, or not: the answer was lost.
  void unknown(lease_write const& w, time now);
  /// What has happened since the last call, in order.
  std::vector<lease_event> take_events();

  /// When `due` has something, or a lease is lost, at the latest; before that there is nothing to do but what calls and looks bring.
  time next_due() const noexcept;
  /// Whether the lease is about to be renewed, so that a checkpoint costs no write of its own.
  bool renews(std::string const& key, time now) const noexcept;
  /// When the table should be looked at.
  time look_due() const noexcept;

  /// Moves the checkpoint. A later one takes the place of one that waits. `children`: with SHARD_END, the shards it ended in.
  answer checkpoint(std::string const& key, lease_checkpoint to, std::set<std::string> children = {});
  /// After `asked_for`, and when nothing is done any more: the other worker may begin, behind the checkpoint that waits, if one does.
  void hand_over(std::string const& key);
  /// Gives a lease back, for whoever wants it, behind the checkpoint that waits, if one does; one that was asked for, as `hand_over` does.
  /// It does not take it again before `rests_until`.
  void let_go(std::string const& key, time rests_until = {});
  /// It ends: nothing is taken or stolen any more.
  void end() noexcept;

  std::string const& name() const noexcept { return name_; }
  /// Whether what is done now for that lease counts.
  bool holds(std::string const& key, time now) const noexcept;
  /// How many leases it has, those that it is giving away included.
  std::size_t held() const noexcept;

private:
  enum class role : std::uint8_t {
    none,
    holder,
    finisher,  // another owns it and waits for us
    waiting,   // we own it and wait for another to finish
  };
  struct known {
    lease row;
    time changed{};              // when it was last seen to be another
    time written = time::min();  // when the answer to the last write of ours came
    role as = role::none;
    time renewed{};                  // holder, finisher: when the last renewal was sent that was done
    time next_renewal{};             // the same
    time finish_by{};                // finisher: then it is evicted
    time waiting_since{};            // waiting
    std::optional<time> sent;        // a write is under way since then
    std::optional<time> lost_since;  // the first write of which it is not known whether it was done was sent then
    std::optional<lease_checkpoint> to_write;
    std::set<std::string> children;
    bool leaving = false;                    // to be handed over, or let go
    std::optional<lease_write_kind> wanted;  // to take, or to ask for
    time rests_until{};                      // not taken before
  };

  void look_at(known& k, lease row, time began, time now);
  void plan(time now);
  std::optional<lease_write> next_write(known& k, time now);
  std::optional<lease_write> next_of_holder(known& k, time now);
  void settle(known& k, lease_write const& w, time sent, time now);
  void begin(known& k, time sent, time now);
  void lose(known& k, std::string why);
  bool adopt(known& k, lease const& stored, time first_sent, time now);
  void meet(known& k, lease stored, time now);
  bool free(known const& k, time now) const noexcept;
  bool is_of_another(known const& k) const noexcept;
  bool is_waiting(lease const& l) const noexcept;

  std::string const name_;
  lease_options const options_;
  time const renew_every_, look_every_;
  std::mt19937_64 dice_;
  std::map<std::string, known> rows_;
  std::vector<lease_event> events_;
  time next_look_{};
  bool ending_ = false;
};

}  // namespace weir::kinesis
