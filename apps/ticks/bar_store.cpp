#include "bar_store.hpp"

#include "bar_schema.hpp"
#include "time_text.hpp"

#include <weir/error.hpp>
#include <weir/sqlite/database.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ticks {

namespace sqlite = weir::sqlite;

// The statements of a file whose tables exist.
struct bar_store::statements {
  explicit statements(sqlite::database& db)
      : version(db.prepare("PRAGMA data_version")),
        find(db.prepare(std::string(select_bar) + " WHERE b.symbol = ?2 AND b.window_start = ?3")),
        newest(db.prepare(std::string(select_bar) + " WHERE b.symbol = ?2 ORDER BY b.window_start DESC LIMIT 1")),
        last(db.prepare(std::string(select_bar) + " ORDER BY b.window_start DESC, b.symbol DESC LIMIT ?2")),
        put_bar(db.prepare(upsert_bar)),
        put_progress(db.prepare("INSERT OR REPLACE INTO bars_progress VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")),
        put_applied(db.prepare("INSERT OR REPLACE INTO bars_applied VALUES(?1, ?2, ?3, ?4)")),
        put_event(db.prepare("INSERT OR REPLACE INTO bars_event VALUES(?1, ?2, ?3, ?4)")),
        drop_event(db.prepare("DELETE FROM bars_event WHERE symbol = ?1 AND window_start = ?2 AND revision = ?3")),
        events(db.prepare("SELECT symbol, window_start, revision, line FROM bars_event ORDER BY symbol, window_start, revision LIMIT ?1")),
        open(db.prepare(select_open)) {}

  sqlite::statement version, find, newest, last, put_bar, put_progress, put_applied, put_event, drop_event, events, open;
};

struct bar_store::connection {
  explicit connection(std::string const& file) : db(file) {}
  sqlite::database db;
  std::optional<statements> sql;
  std::optional<sqlite::transaction> open;
};

namespace {

constexpr std::int64_t millisecond = 1'000'000;

[[noreturn]] void damaged(std::string const& file, std::string_view what) {
  throw weir::error(weir::errc::corrupt, fmt::format("bars: cannot use {}", file),
                    fmt::format("a row has {}: changed by hand, or damaged", what),
                    "restore the file from a copy, or start anew without it and its checkpoint");
}

decimal number(std::string const& file, std::string_view text) {
  auto const parsed = decimal::parse(text);
  if (!parsed) damaged(file, fmt::format("the number \"{}\"", text));
  return *parsed;
}

symbol name_of(std::string const& file, std::string_view text) {
  auto const name = symbol::from(text);
  if (!name) damaged(file, fmt::format("the symbol \"{}\"", text));
  return *name;
}

std::string meta(sqlite::database& db, std::string_view name) {
  auto query = db.prepare("SELECT value FROM bars_meta WHERE name = ?1");
  query.bind(1, name);
  return query.step() ? std::string(query.text(0)) : std::string();
}

keyed_bar read_bar(std::string const& file, sqlite::statement const& row) {
  keyed_bar out;
  out.name = name_of(file, row.text(0));
  out.start = row.integer(1) * millisecond;
  bar& b = out.state.value;
  b.open = number(file, row.text(2));
  b.high = number(file, row.text(3));
  b.low = number(file, row.text(4));
  b.close = number(file, row.text(5));
  b.volume = number(file, row.text(6));
  b.trades = static_cast<std::uint64_t>(row.integer(7));
  b.first = trade_order{row.integer(8), row.integer(9)};
  b.last = trade_order{row.integer(10), row.integer(11)};
  out.state.revision = row.integer(12);
  out.state.open = row.integer(13) != 0;
  if (!row.is_null(14)) {
    out.state.applied = weir::position::parse(row.text(14));
    if (!out.state.applied) damaged(file, "a position that is none");
  }
  return out;
}

}  // namespace

bar_store::bar_store(std::string file, bar_origin const& origin, std::int64_t window)
    : file_(std::move(file)), connection_(std::make_unique<connection>(file_)) {
  auto& db = connection_->db;
  sqlite::transaction all(db);  // two programs that begin at once must not both create
  bool const fresh = db.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (fresh) {
    db.execute(bar_schema);
    db.prepare("INSERT INTO bars_meta VALUES('version', 1), ('window', ?1), ('kind', ?2), ('id', lower(hex(randomblob(8))))")
        .run(window, std::string_view(origin.kind));
  } else {
    check(origin, window);
  }
  id_ = meta(db, "id");
  db.prepare("INSERT INTO bars_source(name) VALUES(?1) ON CONFLICT DO NOTHING").run(std::string_view(origin.source));
  auto row = db.prepare("SELECT id FROM bars_source WHERE name = ?1");
  row.bind(1, std::string_view(origin.source));
  row.step();
  source_ = row.integer(0);
  row.reset();
  all.commit();
  connection_->sql.emplace(db);
  version_ = db.number("PRAGMA data_version");
}
bar_store::~bar_store() = default;

void bar_store::check(bar_origin const& origin, std::int64_t window) const {
  auto& db = connection_->db;
  if (db.number("SELECT count(*) FROM sqlite_schema WHERE name = 'bars_meta'") == 0) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", file_), "it is a database of something else",
                      "give --bars the name of another file");
  }
  if (auto const version = db.number("SELECT value FROM bars_meta WHERE name = 'version'"); version != 1) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", file_),
                      fmt::format("it has version {}, this program knows version 1", version), "use the program that made it");
  }
  if (auto const theirs = db.number("SELECT value FROM bars_meta WHERE name = 'window'"); theirs != window) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", file_),
                      fmt::format("its bars are {} long, not {}", duration_text(theirs), duration_text(window)),
                      fmt::format("give --bars the name of another file, or --window {}", duration_text(theirs)));
  }
  if (auto const theirs = meta(db, "kind"); theirs != origin.kind) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", file_),
                      fmt::format("its bars are made of {}, not of {}", theirs, origin.kind), "give --bars the name of another file");
  }
}

std::optional<keyed_bar> bar_store::newest(symbol const& name) {
  std::optional<keyed_bar> found;
  auto& query = connection_->sql->newest;
  query.bind(1, source_);
  query.bind(2, name.view());
  if (query.step()) found = read_bar(file_, query);
  query.reset();
  return found;
}

std::optional<bar_state> bar_store::find(symbol const& name, std::int64_t start) {
  std::optional<bar_state> found;
  auto& query = connection_->sql->find;
  query.bind(1, source_);
  query.bind(2, name.view());
  query.bind(3, start / millisecond);
  if (query.step()) found = read_bar(file_, query).state;
  query.reset();
  return found;
}

void bar_store::begin() {
  connection_->open.emplace(connection_->db);
  auto& version = connection_->sql->version;
  version.step();
  auto const now = version.integer(0);
  version.reset();
  if (now == version_) return;
  rollback();
  throw weir::error(weir::errc::fenced, fmt::format("bars: cannot go on with {}", file_), "another program wrote to it meanwhile",
                    "let the other one end, then run this one again");
}

void bar_store::put(bar_key const& key, bar_state const& state) {
  bar const& b = state.value;
  auto& sql = *connection_->sql;
  auto const name = key.name.view();
  auto const start = key.start / millisecond;
  sql.put_bar.run(name, start, std::string_view(b.open.text()), std::string_view(b.high.text()), std::string_view(b.low.text()),
                  std::string_view(b.close.text()), std::string_view(b.volume.text()), b.trades);
  sql.put_progress.run(name, start, b.first.time, b.first.id, b.last.time, b.last.id, state.revision, state.open ? 1 : 0);
  if (state.applied) sql.put_applied.run(name, start, source_, std::string_view(state.applied->text()));
}

void bar_store::remember_event(pending_event const& event) {
  connection_->sql->put_event.run(event.key.name.view(), event.key.start / millisecond, event.revision, std::string_view(event.line));
}

void bar_store::forget_event(bar_key const& key, std::int64_t revision) {
  connection_->sql->drop_event.run(key.name.view(), key.start / millisecond, revision);
}

void bar_store::commit() {
  connection_->open->commit();
  connection_->open.reset();
}

void bar_store::rollback() noexcept { connection_->open.reset(); }

std::vector<bar_key> bar_store::open_bars(std::size_t most) {
  std::vector<bar_key> keys;
  auto& query = connection_->sql->open;
  query.bind(1, source_);
  query.bind(2, most);
  while (query.step()) keys.push_back(bar_key{name_of(file_, query.text(0)), query.integer(1) * millisecond});
  return keys;
}

std::vector<pending_event> bar_store::pending_events(std::size_t most) {
  std::vector<pending_event> events;
  auto& query = connection_->sql->events;
  query.bind(1, most);
  while (query.step())
    events.push_back(
        pending_event{{name_of(file_, query.text(0)), query.integer(1) * millisecond}, query.integer(2), std::string(query.text(3))});
  return events;
}

std::vector<keyed_bar> bar_store::last_bars(std::size_t most) {
  std::vector<keyed_bar> bars;
  auto& query = connection_->sql->last;
  query.bind(1, source_);
  query.bind(2, most);
  while (query.step()) bars.push_back(read_bar(file_, query));
  std::sort(bars.begin(), bars.end(),
            [](keyed_bar const& a, keyed_bar const& b) { return a.name == b.name ? a.start < b.start : a.name.view() < b.name.view(); });
  return bars;
}

std::int64_t bar_store::count() { return connection_->db.number("SELECT count(*) FROM bars"); }

}  // namespace ticks
