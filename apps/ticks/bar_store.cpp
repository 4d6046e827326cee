#include "bar_store.hpp"

#include "bar_row.hpp"
#include "bar_schema.hpp"

#include <weir/error.hpp>
#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace ticks {
namespace {

std::string unique_id() {
  std::random_device any;
  return fmt::format("{:08x}{:08x}", any(), any());
}

std::string find_meta(results::rows const& meta, std::string_view name) {
  for (auto const& row : meta)
    if (row[0] == name) return row[1];
  return {};
}

bool has_table(results::rows const& tables, std::string_view name) {
  return std::any_of(tables.begin(), tables.end(), [name](auto const& row) { return row[0] == name; });
}

void add_all(std::vector<results::statement>& to, std::span<char const* const> commands) {
  for (char const* const sql : commands) to.emplace_back(sql);
}

void add_meta(std::vector<results::statement>& to, char const* name, std::string value) {
  std::vector<results::value> values;
  values.emplace_back(std::string(name));
  values.emplace_back(std::move(value));
  to.emplace_back("INSERT INTO bars_meta VALUES($1, $2)", std::move(values));
}

std::pair<std::string, std::int64_t> place_of(closed_bar const& b) { return {std::string(b.key.view()), b.window.start}; }

[[noreturn]] void refuse(results::database const& in, std::string why, std::string advice) {
  throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", in.name()), std::move(why), std::move(advice));
}

void check_meta(results::database const& in, results::rows const& meta, bar_origin const& origin, std::int64_t window) {
  if (auto const version = find_meta(meta, "version"); version != bar_schema_version) {
    refuse(in, fmt::format("its tables are those of version {}, this program knows version {}", version, bar_schema_version),
           "use the program that made it, or make the bars anew under another name");
  }
  if (auto const theirs = read_number(find_meta(meta, "window"), in.name()); theirs != window) {
    refuse(in, fmt::format("its bars are {} long, not {}", command_line::duration_text(theirs), command_line::duration_text(window)),
           fmt::format("give --bars another name, or --window {}", command_line::duration_text(theirs)));
  }
  if (auto const theirs = find_meta(meta, "kind"); theirs != origin.kind)
    refuse(in, fmt::format("its bars are made of {}, not of {}", theirs, origin.kind), "give --bars another name");
}

// Whether bars are there, and may be written.
weir::task<bool> look(results::transaction& all, results::database const& in, bar_origin const& origin, std::int64_t window,
                      progress_place progress) {
  std::vector<results::statement> question;
  question.push_back(in.list_tables());
  std::vector<results::rows> const tables = co_await all.run(std::move(question));
  auto const checkpoints =
      std::count_if(tables[0].begin(), tables[0].end(), [](auto const& row) { return row[0] == "checkpoints" || row[0] == "state"; });
  if (!has_table(tables[0], "bars_meta")) {
    if (!in.is_shared() && tables[0].size() != static_cast<std::size_t>(checkpoints))
      refuse(in, "it is a database of something else", "give --bars the name of another file");
    co_return false;
  }
  std::vector<results::statement> ask;
  ask.emplace_back("SELECT name, value FROM bars_meta");
  std::vector<results::rows> const meta = co_await all.run(std::move(ask));
  check_meta(in, meta[0], origin, window);
  if (progress == progress_place::here && !in.is_shared() && checkpoints == 0)
    refuse(in, "the progress of its bars was kept elsewhere", "say where, with --checkpoint");
  co_return true;
}

}  // namespace

bar_store::bar_store(std::shared_ptr<results::database> in, std::string writer) : database_(std::move(in)), writer_(std::move(writer)) {}

weir::task<> bar_store::check(results::database& in, bar_origin origin, std::int64_t window, progress_place progress) {
  std::unique_ptr<results::transaction> const all = co_await in.begin();
  (void)co_await look(*all, in, origin, window, progress);
}

weir::task<std::unique_ptr<bar_store>> bar_store::open(std::shared_ptr<results::database> in, bar_origin origin, std::int64_t window,
                                                       std::string group) {
  if (group.empty()) group = unique_id();
  std::unique_ptr<bar_store> made(new bar_store(std::move(in), std::move(group)));
  co_await prepare(*made, std::move(origin), window);
  co_return made;
}

weir::task<> bar_store::prepare(bar_store& of, bar_origin origin, std::int64_t window) {
  results::database& in = *of.database_;
  std::unique_ptr<results::transaction> const all = co_await in.begin();  // two programs that begin at once must not both create
  bool const there = co_await look(*all, in, origin, window, progress_place::elsewhere);
  std::vector<results::statement> make;
  if (!there) {
    add_all(make, bar_schema);
    add_meta(make, "version", bar_schema_version);
    add_meta(make, "window", std::to_string(window));
    add_meta(make, "kind", origin.kind);
    add_meta(make, "id", unique_id());
  }
  std::vector<results::value> writer, source;
  writer.emplace_back(of.writer_);
  make.emplace_back("UPDATE bars_writer SET name = $1", std::move(writer));
  source.emplace_back(origin.source);
  make.emplace_back(
      "INSERT INTO bars_source SELECT coalesce(max(id), 0) + 1, CAST($1 AS TEXT) FROM bars_source WHERE true ON CONFLICT DO NOTHING",
      source);
  make.emplace_back("SELECT id FROM bars_source WHERE name = $1", std::move(source));
  make.emplace_back("SELECT value FROM bars_meta WHERE name = 'id'");
  std::vector<results::rows> const made = co_await all->run(std::move(make));
  auto const last = made.end();
  of.source_ = read_number(last[-2].at(0)[0], in.name());
  of.id_ = last[-1].at(0)[0];
  co_await all->commit();
}

weir::task<> bar_store::read_parts(places& of) {
  std::unique_ptr<results::transaction> const all = co_await database_->begin();
  std::vector<results::statement> look;
  for (auto const& [place, parts] : of) {
    std::vector<results::value> key;
    key.emplace_back(place.first);
    key.emplace_back(place.second / millisecond);
    look.emplace_back(select_parts, std::move(key));
  }
  std::vector<results::rows> const found = co_await all->run(std::move(look));
  auto next = found.begin();
  for (auto& [place, parts] : of) {
    for (auto const& row : *next) parts.add(read_part(row, name()));
    ++next;
  }
}

// Of a bar that is given twice before a commit the second is right, whatever the table has: revisions count closings, and it closes once.
weir::task<std::vector<bar_change>> bar_store::merge(std::span<closed_bar const> bars) {
  places touched;
  for (closed_bar const& b : bars) touched.try_emplace(place_of(b));
  co_await read_parts(touched);
  std::vector<bar_change> out;
  out.reserve(bars.size());
  for (closed_bar const& b : bars) {
    bar_parts& parts = touched.at(place_of(b));
    bool const is_new = parts.put(source_, b);
    whole_bar const now = parts.whole();
    out.push_back(bar_change{b.key, b.window, now.value, now.revision, parts.of(source_), b.pane != weir::pane::early, is_new});
  }
  co_return out;
}

std::vector<results::statement> bar_store::statements_of(std::vector<bar_change> const& bars) const {
  std::vector<results::statement> out;
  out.reserve(2 * bars.size() + 1);
  std::vector<results::value> writer;
  writer.emplace_back(writer_);
  out.emplace_back(check_writer, std::move(writer));
  for (bar_change const& b : bars) {
    if (!b.is_new) continue;
    out.push_back(write_part(b));
    out.push_back(write_bar(b));
  }
  return out;
}

weir::task<results::rows> bar_store::ask(results::statement question) {
  std::unique_ptr<results::transaction> const all = co_await database_->begin();
  std::vector<results::statement> one;
  one.push_back(std::move(question));
  std::vector<results::rows> found = co_await all->run(std::move(one));
  co_await all->commit();
  co_return std::move(found[0]);
}

weir::task<std::vector<keyed_bar>> bar_store::last_bars(std::size_t most) {
  results::statement question(
      "SELECT symbol, window_start, open, high, low, close, volume, trades FROM bars ORDER BY window_start DESC, symbol DESC LIMIT " +
      std::to_string(most));
  results::rows const found = co_await ask(std::move(question));
  std::vector<keyed_bar> bars;
  for (auto const& row : found) bars.push_back(read_bar(row, name()));
  std::sort(bars.begin(), bars.end(), [](keyed_bar const& a, keyed_bar const& b) {
    return a.key.name == b.key.name ? a.key.start < b.key.start : a.key.name.view() < b.key.name.view();
  });
  co_return bars;
}

weir::task<std::int64_t> bar_store::count() {
  results::statement question("SELECT count(*) FROM bars");
  results::rows const found = co_await ask(std::move(question));
  co_return read_number(found.at(0)[0], name());
}

}  // namespace ticks
