#pragma once

#include "bar.hpp"
#include "bar_change.hpp"
#include "bar_part.hpp"
#include "closed_bar.hpp"
#include "symbol.hpp"

#include <results/database.hpp>

#include <weir/task.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ticks {

/// A bar's key.
struct bar_key {
  symbol name;
  std::int64_t start = 0;  ///< of the window, ns since the epoch
};

/// A bar with its key, as readers of the table see it.
struct keyed_bar {
  bar_key key;
  bar value;
};

/// Where the trades of bars come from.
struct bar_origin {
  std::string kind;    ///< inputs of one store are of one kind: "files", or which built-in market
  std::string source;  ///< names the input: bars of one window from different inputs are kept apart and shown merged
};

/// Whether the database of the bars has their checkpoints, too.
enum class progress_place { here, elsewhere };

/// The bars, in a file of SQLite or a database of PostgreSQL. For readers: table `bars(symbol TEXT, window_start BIGINT, open, high, low,
/// close, volume TEXT, trades BIGINT)`, window_start in ms since the epoch (UTC), prices and volume exact decimals. Beside it, in tables
/// `bars_...`, the part of each input and how often it closed.
///
/// Says what bars become, and which statements write that, for a sink to run them. Each call is one transaction. Other processes may read
/// at any time; when another run has begun to write, the statements of this one fail, unless both write as one of the same group.
///
/// Errors, of every member: those of the database, and `weir::error` with its name (is of something else, has bars of another window or
/// kind, or another layout); nothing was changed then. Not thread-safe; one call at a time.
class bar_store {
public:
  /// Checks that the database can have bars of `window` ns, a whole number of ms; changes nothing.
  static weir::task<> check(results::database& in, bar_origin origin, std::int64_t window, progress_place progress);
  /// Finds or makes the tables. From now on this run is the one that writes; or, with `group`, one of those that write as that, which have
  /// no bar in common at a time. `group` is empty, or a name other than those of runs, which are 16 digits.
  static weir::task<std::unique_ptr<bar_store>> open(std::shared_ptr<results::database> in, bar_origin origin, std::int64_t window,
                                                     std::string group = {});
  bar_store(bar_store const&) = delete;
  bar_store& operator=(bar_store const&) = delete;
  ~bar_store() = default;

  /// What the table has when each of `bars` has taken the place of what this input had of it, in their order.
  weir::task<std::vector<bar_change>> merge(std::span<closed_bar const> bars);
  /// What writes those that are new.
  std::vector<results::statement> statements_of(std::vector<bar_change> const& bars) const;

  /// The last bars by window, in the order of symbol and window; up to `most`.
  weir::task<std::vector<keyed_bar>> last_bars(std::size_t most);
  /// Bars of all inputs.
  weir::task<std::int64_t> count();
  /// Made with the tables, different for all: ties the checkpoint to the bars, so that bars which were deleted are made again from the
  /// start.
  std::string const& id() const noexcept { return id_; }
  /// As messages call it.
  std::string const& name() const noexcept { return database_->name(); }

private:
  using places = std::map<std::pair<std::string, std::int64_t>, bar_parts>;
  bar_store(std::shared_ptr<results::database> in, std::string writer);
  static weir::task<> prepare(bar_store& of, bar_origin origin, std::int64_t window);
  weir::task<> read_parts(places& of);
  weir::task<results::rows> ask(results::statement question);

  std::shared_ptr<results::database> database_;
  std::string id_;
  std::string writer_;  // this run, or its group
  std::int64_t source_ = 0;
};

}  // namespace ticks
