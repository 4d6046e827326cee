#include "commands.hpp"
#include "schemas.hpp"
#include "text.hpp"

#include <command_line/complain.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace state_tool {
namespace {

bool wanted(weir::state_entry const& e, options const& o) {
  if (is_schema(e) && o.operator_id != e.operator_id) return false;  // these are shown as what they are
  if (o.operator_id && *o.operator_id != e.operator_id) return false;
  return o.keys.empty() || std::find(o.keys.begin(), o.keys.end(), e.key) != o.keys.end();
}

void print_json(weir::checkpoint_key const& key, weir::state_entry const& e, options const& o) {
  json_line line;
  line.add_key(key).add_bytes("operator", e.operator_id).add_bytes("key", e.key).add("bytes", e.value.size());
  if (o.values) line.add("value_hex", hex(e.value));
  line.print();
}

void print_schemas(weir::checkpoint_key const& key, weir::saved_checkpoint const& c, options const& o) {
  table all({{"OPERATOR"}, {"SCHEMA"}});
  std::size_t shown = 0;
  for (auto const& s : schemas_of(c)) {
    if (!o.keys.empty() || (o.operator_id && *o.operator_id != s.operator_id)) continue;
    ++shown;
    if (o.json) json_line().add_key(key).add_bytes("operator", s.operator_id).add_bytes("schema", s.text).print();
    else all.add({name_text(s.operator_id), name_text(s.text)});
  }
  if (!o.json && shown != 0) all.print();
}

void print_table(std::vector<weir::state_entry const*> const& entries, options const& o) {
  std::vector<table::column> columns{{"OPERATOR"}, {"KEY"}, {"BYTES", table::side::right}};
  if (o.values) columns.push_back({"VALUE"});
  table all(std::move(columns));
  for (auto const* const e : entries) {
    std::vector<std::string> row{name_text(e->operator_id), key_text(e->key), std::to_string(e->value.size())};
    if (o.values) row.push_back(hex(e->value));
    all.add(std::move(row));
  }
  all.print();
}

}  // namespace

int dump(opened_store& store, options const& o) {
  std::size_t shown = 0;
  for (auto const& key : select_keys(store, o.which)) {
    auto const found = store.load(key);
    if (!found) continue;  // erased meanwhile
    std::vector<weir::state_entry const*> entries;
    for (auto const& e : found->entries)
      if (wanted(e, o)) entries.push_back(&e);
    if (!o.json) fmt::print("{}: {}\n", checkpoint_text(key), content_text(*found));
    print_schemas(key, *found, o);
    if (o.json) {
      for (auto const* const e : entries) print_json(key, *e, o);
    } else if (!entries.empty()) {
      print_table(entries, o);
    }
    shown += entries.size();
  }
  if (shown != 0 || (!o.operator_id && o.keys.empty())) return 0;
  command_line::complain("weir", "there is no such entry (" + store.name() + "); without --operator and keys, all are shown");
  return 1;
}

}  // namespace state_tool
