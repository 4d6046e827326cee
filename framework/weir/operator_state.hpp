#pragma once
#include <weir/committed_entries.hpp>
#include <weir/heir.hpp>
#include <weir/read_through.hpp>
#include <weir/state_store.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

namespace detail {
// How many bytes of memory it takes.
std::size_t memory_of(state_change const& c) noexcept;
}  // namespace detail

class state_changes;

/// What an operator writes when a checkpoint passes it: how its entries differ from those at the checkpoint before it (at the first one
/// after a restore: from those that were restored; without one: from none).
class state_writer {
public:
  state_writer(std::string_view operator_id, state_changes& to) : id_(operator_id), to_(&to) {}
  void put(std::string key, std::vector<std::byte> value) { add(state_change::put(id_, std::move(key), std::move(value))); }
  void erase(std::string key) { add(state_change::erase(id_, std::move(key))); }
  void erase_prefix(std::string prefix) { add(state_change::erase_prefix(id_, std::move(prefix))); }
  /// For entries that stay in the store when the operator is restored (see `read_through`).
  state_writer read_through() const { return {id_ + std::string(read_through_suffix), *to_}; }
  /// How the operator lays out what it keeps, see `stage.hpp`: at its first checkpoint, and not before it was restored.
  void schema(std::string text);

private:
  void add(state_change c);
  std::string id_;
  state_changes* to_;
};

/// How an operator lays out what it keeps.
struct operator_schema {
  operator_schema(std::string of_operator, std::string layout) noexcept : operator_id(std::move(of_operator)), text(std::move(layout)) {}
  std::string operator_id, text;
};

/// What one checkpoint changes: the state of the pipeline's operators, who are told apart by their ids, and what sinks write with it.
class state_changes {
public:
  /// The operator's part, once. Throws `errc::misuse` when another operator of the pipeline has this id.
  state_writer of(std::string_view operator_id);
  /// The part of an operator that cannot be given a name: the first of them is `kind`, the next `kind 2`, in the order in which the
  /// checkpoint passes them.
  state_writer of_next(std::string_view kind);
  /// Takes over the parts of a checkpoint of a branch of the pipeline; `prefix` goes before its operators' ids.
  void add(std::string_view prefix, state_changes&& branch);
  /// What a sink had of the elements before the checkpoint.
  void add(std::shared_ptr<sink_write> w) {
    if (w) writes_memory_ += w->memory();
    writes_.push_back(std::move(w));
  }
  std::vector<state_change> const& all() const noexcept { return all_; }
  std::vector<state_change> take() noexcept {
    changes_memory_ = 0;
    return std::exchange(all_, {});
  }
  std::vector<std::shared_ptr<sink_write>> take_writes() noexcept {
    writes_memory_ = 0;
    return std::exchange(writes_, {});
  }
  /// How many bytes of memory the changes of state take, and what sinks write.
  std::size_t changes_memory() const noexcept { return changes_memory_; }
  std::size_t writes_memory() const noexcept { return writes_memory_; }
  /// Says that what this operator keeps cannot go over to another partition.
  void stays(std::string_view operator_id) { staying_.emplace_back(operator_id); }
  std::vector<std::string> take_staying() noexcept { return std::exchange(staying_, {}); }
  /// Of those that said it.
  std::vector<operator_schema> take_schemas() noexcept { return std::exchange(schemas_, {}); }

private:
  friend class state_writer;
  std::vector<std::string> ids_, staying_;
  std::vector<operator_schema> schemas_;
  std::vector<state_change> all_;
  std::vector<std::shared_ptr<sink_write>> writes_;
  std::size_t changes_memory_ = 0, writes_memory_ = 0;
};

/// The state of a checkpoint while a pipeline is restored from it. It stays where it is once it has branches.
class restored_state {
public:
  restored_state() = default;
  /// `entries`: in order, with those of `schema_id`. `pipeline`: for messages. `all`: where those are that are read through.
  explicit restored_state(std::vector<state_entry> entries, std::string pipeline = {}, committed_entries const* all = nullptr);
  /// The operator's entries, in order of their keys; none: the checkpoint knows nothing of it, it begins as new.
  std::span<state_entry const> take(std::string_view operator_id);
  /// The same for one that keeps them as `schema` says. Throws `errc::incompatible` when they were kept otherwise; where the checkpoint
  /// does not say, they are taken as they are.
  std::span<state_entry const> take(std::string_view operator_id, std::string_view schema);
  /// What `of_next` has written.
  std::span<state_entry const> take_next(std::string_view kind, std::string_view schema);
  /// The operator's entries which are not among those. Throws as the constructor of `read_through`.
  read_through left_in_store(std::string_view who, std::string_view operator_id) const { return {all_, who, line_, operator_id, 0}; }
  /// What belongs to the operators of a branch: those whose ids begin with `prefix`, without it. It lives as long as this one.
  restored_state& branch(std::string_view prefix, std::uint64_t family);
  /// State that is taken over: what operators kept for a partition that this one goes on from, of which theirs is what `by` says.
  void add_predecessor(std::vector<state_entry> entries, std::shared_ptr<heir const> by);
  /// Where there are some, the partition has none of its own.
  std::span<restored_state* const> predecessors() const noexcept { return predecessors_; }
  /// Of a predecessor.
  heir const& taken_by() const noexcept { return *heir_; }
  /// As `barrier::family` and `barrier::root`.
  std::uint64_t family() const noexcept { return family_; }
  restored_state& root() noexcept { return root_ ? *root_ : *this; }
  /// Throws `errc::incompatible` when there are entries which no operator has taken: dropping them would be silent.
  void check_all_taken() const;

private:
  [[noreturn]] void throw_other_schema(operator_schema const& kept, std::string_view now) const;
  std::string pipeline_, line_;  // the second: of a branch
  std::vector<state_entry> entries_;
  committed_entries const* all_ = nullptr;
  std::vector<operator_schema> schemas_;
  std::vector<std::string> taken_;
  std::uint64_t family_ = 0;
  restored_state* root_ = nullptr;  // null: this
  std::list<restored_state> branches_, own_predecessors_;
  std::vector<restored_state*> predecessors_;  // those, or, of a branch, branches of them
  std::shared_ptr<heir const> heir_;
};

namespace detail {
// The bytes of an operator that keeps all in one entry. Throws errc::corrupt for anything else.
std::span<std::byte const> whole_state(std::span<state_entry const> entries);
// Throws errc::misuse: the operator's state cannot go over to another partition.
[[noreturn]] void throw_stays(std::string_view operator_id);
}  // namespace detail

}  // namespace weir
