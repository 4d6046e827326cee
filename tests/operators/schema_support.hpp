// Checkpoints of chains with what they say of the layout of state.
#pragma once
#include <weir/operator_state.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/schema_id.hpp>

#include "operators/timed_support.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// A chain that `make` builds on a source, whatever it gives.
template <class T, class Make> stream<int> opened(feed<T> const& in, Make make) {
  return make(in.open()) | map([](auto const&) { return 0; });
}
/// What a barrier has seen: entries of operators, and how they lay them out.
struct checkpoint {
  kept_state entries;
  std::vector<operator_schema> schemas;

  std::string schema_of(std::string_view operator_id) const {
    auto const found = std::ranges::find(schemas, operator_id, &operator_schema::operator_id);
    return found == schemas.end() ? "none" : found->text;
  }
  kept_state all() const {
    kept_state out = entries;
    for (operator_schema const& s : schemas) {
      auto const bytes = std::as_bytes(std::span(s.text));
      out.emplace_back(std::string(schema_id), s.operator_id, std::vector<std::byte>(bytes.begin(), bytes.end()));
    }
    std::ranges::sort(out, {}, [](state_entry const& e) { return std::pair(e.operator_id, e.key); });
    return out;
  }
};

inline auto by_key(stream<event> s) { return in_time(std::move(s), 5ns) | key_by(&event::key); }

}  // namespace weir::test
