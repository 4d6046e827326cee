#pragma once

#include <array>

namespace ticks {

/// Of the tables below: a store with others is refused.
inline constexpr char const* bar_schema_version = "3";

/// The tables of bars, for SQLite and PostgreSQL. `bars` is for readers, the rest for restarts and for bars of several inputs.
inline constexpr std::array bar_schema{
    "CREATE TABLE bars_meta(name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    R"(CREATE TABLE bars(
  symbol TEXT NOT NULL,
  window_start BIGINT NOT NULL, -- ms since the Unix epoch, UTC
  open TEXT NOT NULL, high TEXT NOT NULL, low TEXT NOT NULL, close TEXT NOT NULL, -- exact decimals
  volume TEXT NOT NULL,
  trades BIGINT NOT NULL,
  PRIMARY KEY(symbol, window_start)))",
    "CREATE TABLE bars_source(id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    R"(CREATE TABLE bars_part( -- what one input has of a bar
  symbol TEXT NOT NULL, window_start BIGINT NOT NULL, source BIGINT NOT NULL,
  open TEXT NOT NULL, high TEXT NOT NULL, low TEXT NOT NULL, close TEXT NOT NULL, volume TEXT NOT NULL, trades BIGINT NOT NULL,
  first_time BIGINT NOT NULL, first_id BIGINT NOT NULL, -- of the trade that made open; ns since the epoch
  last_time BIGINT NOT NULL, last_id BIGINT NOT NULL,   -- of the trade that made close
  revision BIGINT NOT NULL,                             -- how often it closed
  is_open BIGINT NOT NULL,                              -- an early one: has not closed since it was stored
  PRIMARY KEY(symbol, window_start, source)))",
    // Its constraint is what a program is told that writes when another one has begun to.
    R"(CREATE TABLE bars_writer(
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL, -- of the run that began last, or of the group it belongs to
  CONSTRAINT another_program_writes_these_bars CHECK (name <> '')))",
    "INSERT INTO bars_writer VALUES(1, 'none')",
};

/// Fails unless $1 is the writer. It keeps others from becoming that until the transaction ends.
inline constexpr char const* check_writer = "UPDATE bars_writer SET name = CASE WHEN name = $1 THEN name ELSE '' END";

/// Columns in the order of the table.
inline constexpr char const* upsert_bar =
    "INSERT INTO bars VALUES($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT(symbol, window_start) DO UPDATE SET"
    " open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close, volume = excluded.volume,"
    " trades = excluded.trades";
inline constexpr char const* upsert_part =
    "INSERT INTO bars_part VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
    " ON CONFLICT(symbol, window_start, source) DO UPDATE SET"
    " open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close, volume = excluded.volume,"
    " trades = excluded.trades, first_time = excluded.first_time, first_id = excluded.first_id, last_time = excluded.last_time,"
    " last_id = excluded.last_id, revision = excluded.revision, is_open = excluded.is_open";

/// The parts of the bar of $1 at $2.
inline constexpr char const* select_parts =
    "SELECT source, open, high, low, close, volume, trades, first_time, first_id, last_time, last_id, revision, is_open"
    " FROM bars_part WHERE symbol = $1 AND window_start = $2 ORDER BY source";

}  // namespace ticks
