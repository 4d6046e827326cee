#pragma once
#include <weir/checkpoint_history.hpp>
#include <weir/fences_id.hpp>
#include <weir/outbox_id.hpp>
#include <weir/schema_id.hpp>
#include <weir/state_store.hpp>

#include <algorithm>
#include <string_view>

namespace weir::detail {

// Entries of a checkpoint that are of no operator: how many dead letters there are; that the data had ended, and what sinks had then is
// written.
inline constexpr std::string_view dead_letters_id = "(dead letters)", end_id = "(end of data)";

// Of no operator. Those of operators behind branches that have met begin with '(' too.
inline bool is_of_host(std::string_view id) noexcept {
  return id == dead_letters_id || id == end_id || id == history_id || id == schema_id || id == outbox_id || id == fences_id;
}

// Whether it has any of operators.
inline bool has_state(saved_checkpoint const& c) noexcept {
  return std::ranges::any_of(c.entries, [](state_entry const& e) { return !is_of_host(e.operator_id); });
}

}  // namespace weir::detail
