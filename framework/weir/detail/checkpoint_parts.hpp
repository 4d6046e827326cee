#pragma once
#include <weir/committed_entries.hpp>
#include <weir/migration.hpp>
#include <weir/state_store.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::detail {

// A checkpoint that was loaded, by operators, while migrations change it; and what that changes in the store.
class checkpoint_parts {
public:
  // `entries`: in order, and so they are afterwards. `stored`: where those are that are read through; null: there are none.
  checkpoint_parts(std::vector<state_entry>& entries, committed_entries const* stored) noexcept : all_(entries), stored_(stored) {}

  bool has(std::string_view operator_id) const;
  // Null: it does not say.
  std::optional<std::string> schema_of(std::string_view operator_id) const;
  // Throws errc::incompatible when others of this operator are read through: they are not loaded, so that no migration reaches them.
  operator_entries entries_of(std::string_view operator_id) const;
  // Of an operator that may be there or not.
  void replace(std::string const& operator_id, operator_entries entries, std::optional<std::string> schema);
  void erase(std::string const& operator_id);

  std::vector<state_change> take_changes() noexcept { return std::exchange(changes_, {}); }

private:
  void put(state_entry e);
  void check_within_reach(std::string_view operator_id) const;
  std::vector<state_entry>& all_;
  committed_entries const* stored_;
  std::vector<state_change> changes_;
};

// Runs all of them. Returns what they change; `ran` gets the texts of those that had something to do. Throws errc::incompatible, or the
// code of what one has thrown; then `entries` may be anything.
std::vector<state_change> run_migrations(std::vector<migration> const& all, std::vector<state_entry>& entries,
                                         committed_entries const* stored, std::vector<std::string>& ran);

}  // namespace weir::detail
