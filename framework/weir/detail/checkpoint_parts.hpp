#pragma once
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
  // `entries`: in order, and so they are afterwards.
  explicit checkpoint_parts(std::vector<state_entry>& entries) noexcept : all_(entries) {}

  bool has(std::string_view operator_id) const;
  // Null: it does not say.
  std::optional<std::string> schema_of(std::string_view operator_id) const;
  operator_entries entries_of(std::string_view operator_id) const;
  // Of an operator that may be there or not.
  void replace(std::string const& operator_id, operator_entries entries, std::optional<std::string> schema);
  void erase(std::string const& operator_id);

  std::vector<state_change> take_changes() noexcept { return std::exchange(changes_, {}); }

private:
  void put(state_entry e);
  std::vector<state_entry>& all_;
  std::vector<state_change> changes_;
};

// Runs all of them. Returns what they change; `ran` gets the texts of those that had something to do. Throws errc::incompatible, or the
// code of what one has thrown; then `entries` may be anything.
std::vector<state_change> run_migrations(std::vector<migration> const& all, std::vector<state_entry>& entries,
                                         std::vector<std::string>& ran);

// Throws errc::incompatible when an operator that they change has entries that are read through: they are not loaded, so that a migration
// does not reach them. `reader`: null where there can be none.
void check_within_reach(std::vector<state_change> const& changes, entry_reader* reader, checkpoint_key const& of);

}  // namespace weir::detail
