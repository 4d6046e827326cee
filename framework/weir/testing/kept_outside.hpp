#pragma once
#include <weir/state_store.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weir::testing {

/// What is outside of the trials of `delivery_check`, and outlives the crashes in each: files, a database, a server. Called in this order:
/// `clear`, then `open` and `close` for each start of the process, then `rows`.
///
/// Each start of the process has a simulation of its own then, since what Asio has under way at a crash ends with its simulation. Time
/// begins anew with it. I/O takes real time, so that a seed is the same mishaps, and not quite the same order of events.
class kept_outside {
public:
  kept_outside() = default;
  kept_outside(kept_outside const&) = delete;
  kept_outside& operator=(kept_outside const&) = delete;
  virtual ~kept_outside() = default;

  /// A trial begins: nothing is left of the one before.
  virtual void clear() = 0;
  /// A process starts: the store of its checkpoints, which is opened for it alone. Null: the trial's, which is in memory.
  virtual std::shared_ptr<state_store> open() { return nullptr; }
  /// The process has ended: what it had open goes, before its simulation does.
  virtual void close() {}
  /// What the sink holds. These effects count as written to `trial.appending()`.
  virtual std::vector<std::string> rows() = 0;
};

}  // namespace weir::testing
