#pragma once

#include "bar.hpp"
#include "closed_bar.hpp"
#include "symbol.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// What became of a bar that was put.
struct stored_bar {
  bar value;                  ///< with the parts of other inputs
  std::int64_t revision = 0;  ///< how often it has closed
};

/// An event that was decided together with its bar and may not have been sent yet.
struct pending_event {
  bar_key key;
  std::int64_t revision = 0;
  std::string line;
};

/// Where the trades of a bars' file come from.
struct bar_origin {
  std::string kind;    ///< inputs of one file are of one kind: "files", or which built-in market
  std::string source;  ///< names the input: bars of one window from different inputs are kept apart and shown merged
};

/// The SQLite file with the bars. For readers: table `bars(symbol TEXT, window_start INTEGER, open, high, low, close, volume TEXT,
/// trades INTEGER)`, window_start in ms since the epoch (UTC), prices and volume exact decimals. Beside it, in tables `bars_...`, the
/// part of each input, how often it closed, and events not sent yet.
///
/// What is put between `begin` and `commit` is stored together or not at all, and is on the disk when `commit` returns. Other
/// processes may read while it is written; that another one writes is noticed, at the next commit, and refused.
///
/// Errors, of every member: `weir::error` with the file's name (cannot be opened, is not a database, not made by this program, has bars of
/// another window or kind, is read-only, disk full); what was begun is then undone. Not thread-safe.
class bar_store {
public:
  /// Opens or creates `file` for bars of `window` ns, a whole number of ms.
  bar_store(std::string file, bar_origin const& origin, std::int64_t window);
  bar_store(bar_store const&) = delete;
  bar_store& operator=(bar_store const&) = delete;
  ~bar_store();

  void begin();
  /// Takes the place of what this input had of the bar. Null when it had the same, and as closed.
  std::optional<stored_bar> put(closed_bar const& b);
  /// Remembers an event until `forget_event`.
  void remember_event(pending_event const& event);
  void forget_event(bar_key const& key, std::int64_t revision);
  void commit();
  /// Undoes what was begun. Never throws.
  void rollback() noexcept;

  /// Up to `most` remembered events, in order of their keys.
  std::vector<pending_event> pending_events(std::size_t most);
  /// The last bars by window, in the order of symbol and window; up to `most`.
  std::vector<keyed_bar> last_bars(std::size_t most);
  /// Bars of all inputs.
  std::int64_t count();
  /// Made when the file was created, different for every file: ties the checkpoint to the bars, so that bars which were deleted are
  /// made again from the start.
  std::string const& id() const noexcept { return id_; }
  std::string const& file() const noexcept { return file_; }

private:
  struct statements;
  struct connection;
  void check(bar_origin const& origin, std::int64_t window) const;

  std::string file_, id_;
  std::int64_t source_ = 0;
  std::int64_t version_ = 0;  // of the data as this connection left it
  std::unique_ptr<connection> connection_;
};

}  // namespace ticks
