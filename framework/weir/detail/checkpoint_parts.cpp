#include <weir/detail/checkpoint_parts.hpp>

#include <weir/detail/kept_schemas.hpp>
#include <weir/entry_reader.hpp>
#include <weir/error.hpp>
#include <weir/read_through.hpp>
#include <weir/schema_id.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <tuple>
#include <utility>

namespace weir::detail {
namespace {

auto place_of(state_entry const& e) { return std::tie(e.operator_id, e.key); }

}  // namespace

bool checkpoint_parts::has(std::string_view operator_id) const {
  return !std::ranges::equal_range(all_, operator_id, {}, &state_entry::operator_id).empty();
}

std::optional<std::string> checkpoint_parts::schema_of(std::string_view operator_id) const {
  for (state_entry const& e : std::ranges::equal_range(all_, schema_id, {}, &state_entry::operator_id))
    if (e.key == operator_id) return schema_in(e).text;
  return std::nullopt;
}

void checkpoint_parts::check_within_reach(std::string_view operator_id) const {
  if (!stored_ || !stored_->reader()) return;
  bool some = false;
  stored_->reader()->each(stored_->key(), std::string(operator_id) + std::string(read_through_suffix),
                          [&some](std::string_view, std::span<std::byte const>) { some = true; });
  if (!some) return;
  throw error(errc::incompatible, "migration: cannot run",
              "a part of the state of \"" + std::string(operator_id) +
                  "\" is read from the store one by one (working_set), where a migration does not reach it",
              "let the new version of the program read what the old one wrote, or drop all state and read again from an earlier position "
              "(weir state rewind --drop-state)");
}

operator_entries checkpoint_parts::entries_of(std::string_view operator_id) const {
  check_within_reach(operator_id);
  operator_entries out;
  for (state_entry const& e : std::ranges::equal_range(all_, operator_id, {}, &state_entry::operator_id))
    out.emplace_hint(out.end(), e.key, e.value);
  return out;
}

void checkpoint_parts::replace(std::string const& operator_id, operator_entries entries, std::optional<std::string> schema) {
  erase(operator_id);
  for (auto& [key, value] : entries) put(state_entry(operator_id, key, std::move(value)));
  if (schema) put(schema_entry(operator_schema(operator_id, *std::move(schema))));
  std::ranges::sort(all_, {}, place_of);
}

void checkpoint_parts::erase(std::string const& operator_id) {
  std::erase_if(all_,
                [&](state_entry const& e) { return e.operator_id == operator_id || (e.operator_id == schema_id && e.key == operator_id); });
  changes_.push_back(state_change::erase_prefix(operator_id, ""));
  changes_.push_back(state_change::erase(std::string(schema_id), operator_id));
}

void checkpoint_parts::put(state_entry e) {
  changes_.push_back(state_change::put(e.operator_id, e.key, e.value));
  all_.push_back(std::move(e));
}

std::vector<state_change> run_migrations(std::vector<migration> const& all, std::vector<state_entry>& entries,
                                         committed_entries const* stored, std::vector<std::string>& ran) {
  checkpoint_parts parts(entries, stored);
  for (migration const& m : all)
    if (m.run(parts)) ran.push_back(m.text());
  return parts.take_changes();
}

}  // namespace weir::detail
