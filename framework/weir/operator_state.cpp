#include <weir/operator_state.hpp>

#include <weir/detail/owned_bytes.hpp>
#include <weir/error.hpp>

#include <algorithm>

namespace weir {
namespace {

bool contains(std::vector<std::string> const& ids, std::string_view id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }
std::string next_of(std::string_view kind, std::vector<std::string> const& ids) {
  std::string id(kind);
  for (int n = 2; contains(ids, id); ++n) id = std::string(kind) + " " + std::to_string(n);
  return id;
}

}  // namespace

std::size_t detail::memory_of(state_change const& c) noexcept {
  return sizeof(c) + owned_bytes(c.entry.operator_id) + owned_bytes(c.entry.key) + owned_bytes(c.entry.value);
}

state_writer state_changes::of(std::string_view operator_id) {
  if (contains(ids_, operator_id)) {
    throw error(errc::misuse, "checkpoint: cannot be made", "two operators with state are called \"" + std::string(operator_id) + '"',
                "give one of them another name: .named(\"...\")");
  }
  ids_.emplace_back(operator_id);
  return {operator_id, all_, &changes_memory_};
}

state_writer state_changes::of_next(std::string_view kind) { return of(next_of(kind, ids_)); }

void state_changes::add(std::string_view prefix, state_changes&& branch) {
  for (std::string& id : branch.ids_) ids_.push_back(std::string(prefix) + id);
  for (state_change& c : branch.all_) {
    c.entry.operator_id.insert(0, prefix);
    all_.push_back(std::move(c));
  }
  for (auto& w : branch.writes_) writes_.push_back(std::move(w));
  changes_memory_ += branch.changes_memory_;
  writes_memory_ += branch.writes_memory_;
  branch = state_changes();
}

std::span<state_entry const> restored_state::take(std::string_view operator_id) {
  taken_.emplace_back(operator_id);
  auto const [first, last] = std::equal_range(entries_.begin(), entries_.end(), operator_id, [](auto const& a, auto const& b) {
    auto const id = [](auto const& x) -> std::string_view {
      if constexpr (requires { x.operator_id; }) return x.operator_id;
      else return x;
    };
    return id(a) < id(b);
  });
  return {first, last};
}

std::span<state_entry const> restored_state::take_next(std::string_view kind) { return take(next_of(kind, taken_)); }

restored_state& restored_state::branch(std::string_view prefix, std::uint64_t family) {
  restored_state& b = branches_.emplace_back();
  b.line_ = line_ + std::string(prefix);
  b.family_ = family;
  b.all_ = all_;
  b.root_ = &root();
  for (state_entry const& e : entries_) {
    if (!e.operator_id.starts_with(prefix)) continue;
    if (!contains(taken_, e.operator_id)) taken_.push_back(e.operator_id);
    b.entries_.emplace_back(e.operator_id.substr(prefix.size()), e.key, e.value);
  }
  return b;
}

void restored_state::check_all_taken() const {
  for (restored_state const& b : branches_) b.check_all_taken();
  for (state_entry const& e : entries_) {
    if (contains(taken_, e.operator_id)) continue;
    throw error(errc::incompatible, "checkpoint: cannot restore",
                "it has state of an operator called \"" + line_ + e.operator_id + "\", and the pipeline has none of that name",
                "give the operator its old name back, or erase the checkpoint to begin from the start");
  }
}

std::span<std::byte const> detail::whole_state(std::span<state_entry const> entries) {
  if (entries.size() == 1 && entries[0].key.empty()) return entries[0].value;
  throw error(
      errc::corrupt, "checkpoint: cannot restore",
      "the state of \"" + entries[0].operator_id + "\" has " + std::to_string(entries.size()) + " entries instead of one without a key");
}

}  // namespace weir
