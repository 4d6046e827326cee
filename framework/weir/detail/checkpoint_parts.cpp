#include <weir/detail/checkpoint_parts.hpp>

#include <weir/detail/kept_schemas.hpp>
#include <weir/schema_id.hpp>

#include <algorithm>
#include <ranges>
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

operator_entries checkpoint_parts::entries_of(std::string_view operator_id) const {
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
                                         std::vector<std::string>& ran) {
  checkpoint_parts parts(entries);
  for (migration const& m : all)
    if (m.run(parts)) ran.push_back(m.text());
  return parts.take_changes();
}

}  // namespace weir::detail
