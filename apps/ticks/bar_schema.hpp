#pragma once

namespace ticks {

/// The tables of the bars' file, version 2. `bars` is for readers, the rest for restarts and for bars of several inputs.
inline constexpr char const* bar_schema = R"(
CREATE TABLE bars_meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE bars(
  symbol TEXT NOT NULL,
  window_start INTEGER NOT NULL, -- ms since the Unix epoch, UTC
  open TEXT NOT NULL, high TEXT NOT NULL, low TEXT NOT NULL, close TEXT NOT NULL, -- exact decimals
  volume TEXT NOT NULL,
  trades INTEGER NOT NULL,
  PRIMARY KEY(symbol, window_start)) WITHOUT ROWID;
CREATE TABLE bars_source(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE bars_part( -- what one input has of a bar
  symbol TEXT NOT NULL, window_start INTEGER NOT NULL, source INTEGER NOT NULL,
  open TEXT NOT NULL, high TEXT NOT NULL, low TEXT NOT NULL, close TEXT NOT NULL, volume TEXT NOT NULL, trades INTEGER NOT NULL,
  first_time INTEGER NOT NULL, first_id INTEGER NOT NULL, -- of the trade that made open; ns since the epoch
  last_time INTEGER NOT NULL, last_id INTEGER NOT NULL,   -- of the trade that made close
  revision INTEGER NOT NULL,                              -- how often it closed
  is_open INTEGER NOT NULL,                               -- an early one: has not closed since it was stored
  PRIMARY KEY(symbol, window_start, source)) WITHOUT ROWID;
CREATE TABLE bars_event(
  symbol TEXT NOT NULL, window_start INTEGER NOT NULL, revision INTEGER NOT NULL,
  line TEXT NOT NULL, -- decided, perhaps not sent
  PRIMARY KEY(symbol, window_start, revision)) WITHOUT ROWID;
)";

/// Columns in the order of the table.
inline constexpr char const* upsert_bar = "INSERT OR REPLACE INTO bars VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
inline constexpr char const* upsert_part =
    "INSERT OR REPLACE INTO bars_part VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";

/// The parts of the bar of ?1 at ?2, columns in the order of the reader in bar_store.cpp.
inline constexpr char const* select_parts =
    "SELECT open, high, low, close, volume, trades, first_time, first_id, last_time, last_id, revision, is_open, source"
    " FROM bars_part WHERE symbol = ?1 AND window_start = ?2 ORDER BY source";

}  // namespace ticks
