#include "bar_store.hpp"

#include "bar_schema.hpp"

#include <weir/error.hpp>
#include <weir/sqlite/database.hpp>
#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ticks {

namespace sqlite = weir::sqlite;

// The statements of a file whose tables exist.
struct bar_store::statements {
  explicit statements(sqlite::database& db)
      : version(db.prepare("PRAGMA data_version")),
        parts(db.prepare(select_parts)),
        last(db.prepare("SELECT symbol, window_start, open, high, low, close, volume, trades FROM bars"
                        " ORDER BY window_start DESC, symbol DESC LIMIT ?1")),
        put_bar(db.prepare(upsert_bar)),
        put_part(db.prepare(upsert_part)),
        put_event(db.prepare("INSERT OR REPLACE INTO bars_event VALUES(?1, ?2, ?3, ?4)")),
        drop_event(db.prepare("DELETE FROM bars_event WHERE symbol = ?1 AND window_start = ?2 AND revision = ?3")),
        events(db.prepare("SELECT symbol, window_start, revision, line FROM bars_event ORDER BY symbol, window_start, revision LIMIT ?1")) {
  }

  sqlite::statement version, parts, last, put_bar, put_part, put_event, drop_event, events;
};

struct bar_store::connection {
  explicit connection(std::string const& file) : db(file) {}
  sqlite::database db;
  std::optional<statements> sql;
  std::optional<sqlite::transaction> open;
};

namespace {

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

// Columns from `first` on: open, high, low, close, volume, trades.
bar read_values(std::string const& file, sqlite::statement const& row, int first) {
  bar b;
  b.open = number(file, row.text(first));
  b.high = number(file, row.text(first + 1));
  b.low = number(file, row.text(first + 2));
  b.close = number(file, row.text(first + 3));
  b.volume = number(file, row.text(first + 4));
  b.trades = static_cast<std::uint64_t>(row.integer(first + 5));
  return b;
}

// What one input has of a bar.
struct part {
  bar value;
  std::int64_t revision = 0;
  bool open = true;
  std::int64_t source = 0;
};

part read_part(std::string const& file, sqlite::statement const& row) {
  part p;
  p.value = read_values(file, row, 0);
  p.value.first = trade_order{row.integer(6), row.integer(7)};
  p.value.last = trade_order{row.integer(8), row.integer(9)};
  p.revision = row.integer(10);
  p.open = row.integer(11) != 0;
  p.source = row.integer(12);
  return p;
}

}  // namespace

bar_store::bar_store(std::string file, bar_origin const& origin, std::int64_t window)
    : file_(std::move(file)), connection_(std::make_unique<connection>(file_)) {
  auto& db = connection_->db;
  sqlite::transaction all(db);  // two programs that begin at once must not both create
  bool const fresh = db.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (fresh) {
    db.execute(bar_schema);
    db.prepare("INSERT INTO bars_meta VALUES('version', 2), ('window', ?1), ('kind', ?2), ('id', lower(hex(randomblob(8))))")
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
  if (auto const version = db.number("SELECT value FROM bars_meta WHERE name = 'version'"); version != 2) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", file_),
                      fmt::format("it has version {}, this program knows version 2", version), "use the program that made it");
  }
  if (auto const theirs = db.number("SELECT value FROM bars_meta WHERE name = 'window'"); theirs != window) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", file_),
                      fmt::format("its bars are {} long, not {}", command_line::duration_text(theirs), command_line::duration_text(window)),
                      fmt::format("give --bars the name of another file, or --window {}", command_line::duration_text(theirs)));
  }
  if (auto const theirs = meta(db, "kind"); theirs != origin.kind) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", file_),
                      fmt::format("its bars are made of {}, not of {}", theirs, origin.kind), "give --bars the name of another file");
  }
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

std::optional<stored_bar> bar_store::put(closed_bar const& b) {
  auto& sql = *connection_->sql;
  auto const name = b.key.view();
  auto const start = b.window.start / millisecond;
  bool const open = b.pane == weir::pane::early;
  std::vector<part> parts;
  std::optional<std::size_t> mine;
  sql.parts.bind(1, name);
  sql.parts.bind(2, start);
  while (sql.parts.step()) {
    parts.push_back(read_part(file_, sql.parts));
    if (parts.back().source == source_) mine = parts.size() - 1;
  }
  sql.parts.reset();
  if (!mine) {
    auto const place = std::find_if(parts.begin(), parts.end(), [this](part const& p) { return p.source > source_; });
    mine = static_cast<std::size_t>(place - parts.begin());
    parts.insert(place, part());
  }
  part& own = parts[*mine];
  if (own.value == b.value && (open || !own.open)) return std::nullopt;
  own.value = b.value;
  own.open = open;
  if (!open) ++own.revision;

  stored_bar out;
  for (part const& p : parts) {
    if (!out.value.merge(p.value)) {
      throw weir::error(weir::errc::out_of_range, fmt::format("bars: cannot merge the inputs' bars of {} in {}", name, file_),
                        "the sum of the volumes does not fit in 38 digits", "correct the sizes in the input");
    }
    out.revision += p.revision;
  }
  auto const texts = [](bar const& v) { return std::array{v.open.text(), v.high.text(), v.low.text(), v.close.text(), v.volume.text()}; };
  auto const part_texts = texts(own.value), texts_of_all = texts(out.value);
  auto const text = [](std::string const& s) { return std::string_view(s); };
  sql.put_part.run(name, start, source_, text(part_texts[0]), text(part_texts[1]), text(part_texts[2]), text(part_texts[3]),
                   text(part_texts[4]), own.value.trades, own.value.first.time, own.value.first.id, own.value.last.time, own.value.last.id,
                   own.revision, open ? 1 : 0);
  sql.put_bar.run(name, start, text(texts_of_all[0]), text(texts_of_all[1]), text(texts_of_all[2]), text(texts_of_all[3]),
                  text(texts_of_all[4]), out.value.trades);
  return out;
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
  query.bind(1, most);
  while (query.step())
    bars.push_back(keyed_bar{{name_of(file_, query.text(0)), query.integer(1) * millisecond}, read_values(file_, query, 2)});
  query.reset();
  std::sort(bars.begin(), bars.end(), [](keyed_bar const& a, keyed_bar const& b) {
    return a.key.name == b.key.name ? a.key.start < b.key.start : a.key.name.view() < b.key.name.view();
  });
  return bars;
}

std::int64_t bar_store::count() { return connection_->db.number("SELECT count(*) FROM bars"); }

}  // namespace ticks
