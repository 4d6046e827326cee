#pragma once

#include "window_sum.hpp"

#include <command_line/store_name.hpp>
#include <results/database.hpp>
#include <results/table.hpp>

#include <weir/memory_table.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace payments {

/// Where the sums of windows are, together with the checkpoint that they belong to: in memory, or in the table `payment_totals(pipeline,
/// key TEXT, window_start, payments, hundredths BIGINT)` of a database; window_start in ms since the epoch (UTC), hundredths the sum of the
/// amounts.
///
/// What a window said last takes the place of what it said before. Errors: those of the database.
class totals {
public:
  /// In memory.
  totals();
  /// In `store`, where rows of other pipelines may be too.
  static weir::task<std::unique_ptr<totals>> open(command_line::store_name store, std::string pipeline);

  /// For `weir::settings`.
  std::shared_ptr<weir::state_store> const& checkpoints() const noexcept { return checkpoints_; }
  /// For `use_sink`: writes in the commits of `checkpoints`.
  results::table<window_sum> const& sink() const { return *sink_; }
  /// All that is committed, in the order in which it was said, or by key and window.
  weir::task<std::vector<window_sum>> read() const;

private:
  totals(command_line::store_name const& store, std::string pipeline);

  std::string pipeline_;
  std::unique_ptr<results::database> database_;  // null: in memory
  std::optional<weir::memory_table<window_sum>> in_memory_;
  std::shared_ptr<weir::state_store> checkpoints_;
  std::optional<results::table<window_sum>> sink_;
};

}  // namespace payments
