#include <weir/detail/kept_schemas.hpp>

#include <weir/schema_id.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

namespace weir::detail {

state_entry schema_entry(operator_schema const& s) {
  auto const bytes = std::as_bytes(std::span(s.text));
  return {std::string(schema_id), s.operator_id, std::vector<std::byte>(bytes.begin(), bytes.end())};
}

operator_schema schema_in(state_entry const& e) {
  return {e.key, std::string(reinterpret_cast<char const*>(e.value.data()), e.value.size())};
}

void kept_schemas::load(std::span<state_entry const> entries) {
  all_.clear();
  for (state_entry const& e : std::ranges::equal_range(entries, schema_id, {}, &state_entry::operator_id)) {
    operator_schema s = schema_in(e);
    all_.insert_or_assign(std::move(s.operator_id), std::move(s.text));
  }
}

void kept_schemas::take(std::vector<operator_schema> said, std::vector<state_change>& changes) {
  for (operator_schema& s : said) {
    std::string& kept = all_[s.operator_id];
    if (kept == s.text) continue;
    state_entry e = schema_entry(s);
    changes.push_back(state_change::put(std::move(e.operator_id), std::move(e.key), std::move(e.value)));
    kept = std::move(s.text);
  }
}

}  // namespace weir::detail
