#pragma once

namespace ticks {

/// The tables of the bars' file, version 1. `bars` is for readers, the rest for restarts.
inline constexpr char const* bar_schema = R"(
CREATE TABLE bars_meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE bars(
  symbol TEXT NOT NULL,
  window_start INTEGER NOT NULL, -- ms since the Unix epoch, UTC
  open TEXT NOT NULL, high TEXT NOT NULL, low TEXT NOT NULL, close TEXT NOT NULL, -- exact decimals
  volume TEXT NOT NULL,
  trades INTEGER NOT NULL,
  PRIMARY KEY(symbol, window_start)) WITHOUT ROWID;
CREATE TABLE bars_progress(
  symbol TEXT NOT NULL, window_start INTEGER NOT NULL,
  first_time INTEGER NOT NULL, first_id INTEGER NOT NULL, -- of the trade that made open; ns since the epoch
  last_time INTEGER NOT NULL, last_id INTEGER NOT NULL,   -- of the trade that made close
  revision INTEGER NOT NULL,                              -- how often announced as closed
  is_open INTEGER NOT NULL,                               -- has trades not announced
  PRIMARY KEY(symbol, window_start)) WITHOUT ROWID;
CREATE INDEX bars_open ON bars_progress(symbol, window_start) WHERE is_open = 1;
CREATE TABLE bars_source(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE bars_applied(
  symbol TEXT NOT NULL, window_start INTEGER NOT NULL, source INTEGER NOT NULL,
  position TEXT NOT NULL, -- of the last trade of the source folded into the bar
  PRIMARY KEY(symbol, window_start, source)) WITHOUT ROWID;
CREATE TABLE bars_event(
  symbol TEXT NOT NULL, window_start INTEGER NOT NULL, revision INTEGER NOT NULL,
  line TEXT NOT NULL, -- decided, perhaps not sent
  PRIMARY KEY(symbol, window_start, revision)) WITHOUT ROWID;
)";

/// Columns in the order of the table.
inline constexpr char const* upsert_bar =
    "INSERT INTO bars VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET open = excluded.open, high = excluded.high,"
    " low = excluded.low, close = excluded.close, volume = excluded.volume, trades = excluded.trades";

/// Keys of bars of the source ?1 with trades that were not announced, up to ?2.
inline constexpr char const* select_open =
    "SELECT p.symbol, p.window_start FROM bars_progress p WHERE p.is_open = 1 AND EXISTS (SELECT 1 FROM bars_applied a"
    " WHERE a.symbol = p.symbol AND a.window_start = p.window_start AND a.source = ?1) ORDER BY p.symbol, p.window_start LIMIT ?2";

/// Columns in the order of the reader in bar_store.cpp; ?1 is the source.
inline constexpr char const* select_bar =
    "SELECT b.symbol, b.window_start, b.open, b.high, b.low, b.close, b.volume, b.trades,"
    " p.first_time, p.first_id, p.last_time, p.last_id, p.revision, p.is_open, a.position"
    " FROM bars b JOIN bars_progress p USING(symbol, window_start)"
    " LEFT JOIN bars_applied a ON a.symbol = b.symbol AND a.window_start = b.window_start AND a.source = ?1";

}  // namespace ticks
