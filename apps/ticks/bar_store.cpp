#include "bar_store.hpp"

#include "bar_event.hpp"
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

}  // namespace

weir::task<std::unique_ptr<bar_store>> bar_store::open(std::unique_ptr<results::database> in, bar_origin origin, std::int64_t window) {
  std::unique_ptr<bar_store> made(new bar_store(std::move(in)));
  co_await prepare(*made, std::move(origin), window);
  co_return made;
}

weir::task<> bar_store::prepare(bar_store& of, bar_origin origin, std::int64_t window) {
  results::database& in = *of.database_;
  std::unique_ptr<results::transaction> const all = co_await in.begin();  // two programs that begin at once must not both create
  std::vector<results::statement> look;
  look.push_back(in.list_tables());
  std::vector<results::rows> const tables = co_await all->run(std::move(look));
  std::vector<results::statement> make;
  if (has_table(tables[0], "bars_meta")) {
    std::vector<results::statement> ask;
    ask.emplace_back("SELECT name, value FROM bars_meta");
    std::vector<results::rows> const meta = co_await all->run(std::move(ask));
    of.check(meta[0], origin, window);
  } else {
    if (!tables[0].empty() && !in.is_shared()) {
      throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", in.name()), "it is a database of something else",
                        "give --bars the name of another file");
    }
    add_all(make, bar_schema);
    add_meta(make, "version", "2");
    add_meta(make, "window", std::to_string(window));
    add_meta(make, "kind", origin.kind);
    add_meta(make, "id", unique_id());
  }
  add_all(make, bar_change_schema);
  std::vector<results::value> source;
  source.emplace_back(origin.source);
  make.emplace_back(
      "INSERT INTO bars_source SELECT coalesce(max(id), 0) + 1, CAST($1 AS TEXT) FROM bars_source WHERE true ON CONFLICT DO NOTHING",
      source);
  make.emplace_back("SELECT id FROM bars_source WHERE name = $1", std::move(source));
  make.emplace_back("SELECT value FROM bars_meta WHERE name = 'id'");
  make.emplace_back("SELECT number FROM bars_change");
  std::vector<results::rows> const made = co_await all->run(std::move(make));
  auto const last = made.end();
  of.source_ = read_number(last[-3].at(0)[0], in.name());
  of.id_ = last[-2].at(0)[0];
  of.change_ = read_number(last[-1].at(0)[0], in.name());
  co_await all->commit();
}

void bar_store::check(results::rows const& meta, bar_origin const& origin, std::int64_t window) const {
  auto const refuse = [this](std::string why, std::string advice) {
    throw weir::error(weir::errc::incompatible, fmt::format("bars: cannot use {}", name()), std::move(why), std::move(advice));
  };
  if (auto const version = find_meta(meta, "version"); version != "2")
    refuse(fmt::format("it has version {}, this program knows version 2", version), "use the program that made it");
  if (auto const theirs = read_number(find_meta(meta, "window"), name()); theirs != window) {
    refuse(fmt::format("its bars are {} long, not {}", command_line::duration_text(theirs), command_line::duration_text(window)),
           fmt::format("give --bars another name, or --window {}", command_line::duration_text(theirs)));
  }
  if (auto const theirs = find_meta(meta, "kind"); theirs != origin.kind)
    refuse(fmt::format("its bars are made of {}, not of {}", theirs, origin.kind), "give --bars another name");
}

// The first thing is to be alone: the change's number is taken, or another program has taken it.
weir::task<> bar_store::read_parts(results::transaction& in, places& of) {
  std::vector<results::statement> look;
  std::vector<results::value> change;
  change.emplace_back(change_);
  look.emplace_back("UPDATE bars_change SET number = number + 1 WHERE number = $1 RETURNING number", std::move(change));
  for (auto const& [place, parts] : of) {
    std::vector<results::value> key;
    key.emplace_back(place.first);
    key.emplace_back(place.second / millisecond);
    look.emplace_back(select_parts, std::move(key));
  }
  std::vector<results::rows> const found = co_await in.run(std::move(look));
  if (found[0].empty()) {
    throw weir::error(weir::errc::fenced, fmt::format("bars: cannot go on with {}", name()), "another program wrote to it meanwhile",
                      "let the other one end, then run this one again");
  }
  auto next = found.begin();
  for (auto& [place, parts] : of)
    for (auto const& row : *++next) parts.add(read_part(row, name()));
}

weir::task<bar_changes> bar_store::store(std::span<closed_bar const> bars, std::span<pending_event const> announced, announcing what) {
  std::unique_ptr<results::transaction> const all = co_await database_->begin();
  places touched;
  for (closed_bar const& b : bars) touched.try_emplace(place_of(b));
  co_await read_parts(*all, touched);

  bar_changes out;
  for (closed_bar const& b : bars) {
    auto const now = touched.at(place_of(b)).put(source_, b);
    if (!now || b.pane == weir::pane::early) continue;
    ++out.closed;
    if (what == announcing::nothing) continue;
    out.decided.push_back(pending_event{{b.key, b.window.start}, now->revision, closed_event(b.key, b.window, now->value, now->revision)});
  }
  std::vector<results::statement> writes;
  for (auto const& [place, parts] : touched) {
    bar_part const* const part = parts.changed();
    if (!part) continue;
    symbol const of = symbol::from(place.first).value();
    writes.push_back(write_part(of, place.second, *part));
    writes.push_back(write_bar(of, place.second, parts.whole().value));
  }
  for (pending_event const& event : announced) writes.push_back(erase_event(event));
  for (pending_event const& event : out.decided) writes.push_back(write_event(event));
  co_await all->run(std::move(writes));
  co_await all->commit();
  ++change_;
  co_return out;
}

weir::task<results::rows> bar_store::ask(results::statement question) {
  std::unique_ptr<results::transaction> const all = co_await database_->begin();
  std::vector<results::statement> one;
  one.push_back(std::move(question));
  std::vector<results::rows> found = co_await all->run(std::move(one));
  co_await all->commit();
  co_return std::move(found[0]);
}

weir::task<std::vector<pending_event>> bar_store::pending_events(std::size_t most) {
  results::statement question("SELECT symbol, window_start, revision, line FROM bars_event ORDER BY symbol, window_start, revision LIMIT " +
                              std::to_string(most));
  results::rows const found = co_await ask(std::move(question));
  std::vector<pending_event> events;
  for (auto const& row : found) events.push_back(read_event(row, name()));
  co_return events;
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
