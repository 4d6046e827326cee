#pragma once
#include <weir/state_store.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// What an operator writes when a checkpoint passes it: how its entries differ from those at the checkpoint before it (at the first one
/// after a restore: from those that were restored; without one: from none).
class state_writer {
public:
  state_writer(std::string_view operator_id, std::vector<state_change>& to) : id_(operator_id), to_(&to) {}
  void put(std::string key, std::vector<std::byte> value) { to_->push_back(state_change::put(id_, std::move(key), std::move(value))); }
  void erase(std::string key) { to_->push_back(state_change::erase(id_, std::move(key))); }
  void erase_prefix(std::string prefix) { to_->push_back(state_change::erase_prefix(id_, std::move(prefix))); }

private:
  std::string id_;
  std::vector<state_change>* to_;
};

/// What one checkpoint changes: the state of the pipeline's operators, who are told apart by their ids, and what sinks write with it.
class state_changes {
public:
  state_changes() = default;
  /// For a branch of the pipeline.
  explicit state_changes(std::string line) noexcept : line_(std::move(line)) {}
  /// Whose checkpoints it belongs to: empty, or the branch's. An operator behind branches that meet again gets those of each in turn; what
  /// it has written into one, the others do not have.
  std::string const& line() const noexcept { return line_; }
  /// The operator's part, once. Throws `errc::misuse` when another operator of the pipeline has this id.
  state_writer of(std::string_view operator_id);
  /// The part of an operator that cannot be given a name: the first of them is `kind`, the next `kind 2`, in the order in which the
  /// checkpoint passes them.
  state_writer of_next(std::string_view kind);
  /// Takes over the parts of a checkpoint of a branch of the pipeline; `prefix` goes before its operators' ids.
  void add(std::string_view prefix, state_changes&& branch);
  /// What a sink had of the elements before the checkpoint.
  void add(std::shared_ptr<store_write> w) { writes_.push_back(std::move(w)); }
  std::vector<state_change> const& all() const noexcept { return all_; }
  std::vector<state_change> take() noexcept { return std::exchange(all_, {}); }
  std::vector<std::shared_ptr<store_write>> take_writes() noexcept { return std::exchange(writes_, {}); }

private:
  std::string line_;
  std::vector<std::string> ids_;
  std::vector<state_change> all_;
  std::vector<std::shared_ptr<store_write>> writes_;
};

/// The state of a checkpoint while a pipeline is restored from it.
class restored_state {
public:
  restored_state() = default;
  /// `entries`: in order.
  explicit restored_state(std::vector<state_entry> entries) noexcept : entries_(std::move(entries)) {}
  /// The operator's entries, in order of their keys; none: the checkpoint knows nothing of it, it begins as new.
  std::span<state_entry const> take(std::string_view operator_id);
  /// What `of_next` has written.
  std::span<state_entry const> take_next(std::string_view kind);
  /// Takes what belongs to the operators of a branch: those whose ids begin with `prefix`, without it.
  restored_state take_branch(std::string_view prefix);
  /// As that of the changes which it is the sum of.
  std::string const& line() const noexcept { return line_; }
  bool empty() const noexcept { return entries_.empty(); }
  /// Throws `errc::incompatible` when there are entries which no operator has taken: dropping them would be silent.
  void check_all_taken() const;

private:
  std::string line_;
  std::vector<state_entry> entries_;
  std::vector<std::string> taken_;
};

namespace detail {
// The bytes of an operator that keeps all in one entry. Throws errc::corrupt for anything else.
std::span<std::byte const> whole_state(std::span<state_entry const> entries);
}  // namespace detail

}  // namespace weir
