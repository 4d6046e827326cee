#pragma once

#include "bar.hpp"
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

/// An event that was decided together with its bar and may not have been sent yet.
struct pending_event {
  bar_key key;
  std::int64_t revision = 0;
  std::string line;
};

/// Where the trades of bars come from.
struct bar_origin {
  std::string kind;    ///< inputs of one store are of one kind: "files", or which built-in market
  std::string source;  ///< names the input: bars of one window from different inputs are kept apart and shown merged
};

/// Which bars are told of.
enum class announcing { nothing, closed };

/// What storing bars changed.
struct bar_changes {
  std::uint64_t closed = 0;            ///< bars that closed, or have changed since they did
  std::vector<pending_event> decided;  ///< `announcing::closed`: an event for each, remembered until it was announced
};

/// The bars, in a file of SQLite or a database of PostgreSQL. For readers: table `bars(symbol TEXT, window_start BIGINT, open, high, low,
/// close, volume TEXT, trades BIGINT)`, window_start in ms since the epoch (UTC), prices and volume exact decimals. Beside it, in tables
/// `bars_...`, the part of each input, how often it closed, and events not sent yet.
///
/// Each call is one transaction. Other processes may read at any time; that another one writes is noticed, at the next change, and refused.
///
/// Errors, of every member: those of the database, and `weir::error` with its name (is of something else, has bars of another window or
/// kind); nothing was changed then. Not thread-safe; one call at a time.
class bar_store {
public:
  /// Finds or makes the tables, for bars of `window` ns, a whole number of ms.
  static weir::task<std::unique_ptr<bar_store>> open(std::unique_ptr<results::database> in, bar_origin origin, std::int64_t window);
  bar_store(bar_store const&) = delete;
  bar_store& operator=(bar_store const&) = delete;
  ~bar_store() = default;

  /// Each of `bars` takes the place of what this input had of it; `announced` are forgotten. On return it is durable.
  weir::task<bar_changes> store(std::span<closed_bar const> bars, std::span<pending_event const> announced, announcing what);

  /// Up to `most` remembered events, in order of their keys.
  weir::task<std::vector<pending_event>> pending_events(std::size_t most);
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

  explicit bar_store(std::unique_ptr<results::database> in) : database_(std::move(in)) {}
  static weir::task<> prepare(bar_store& of, bar_origin origin, std::int64_t window);
  void check(results::rows const& meta, bar_origin const& origin, std::int64_t window) const;
  weir::task<> read_parts(results::transaction& in, places& of);
  weir::task<results::rows> ask(results::statement question);

  std::unique_ptr<results::database> database_;
  std::string id_;
  std::int64_t source_ = 0;
  std::int64_t change_ = 0;  // the number of the last one, as this program knows it
};

}  // namespace ticks
