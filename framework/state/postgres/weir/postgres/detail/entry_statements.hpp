#pragma once
#include <weir/postgres/detail/net_changes.hpp>
#include <weir/postgres/detail/state_tables.hpp>
#include <weir/postgres/statement.hpp>
#include <weir/state_store.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::postgres::detail {

// The statements which make the changes of a commit: one for each prefix, one for all that are erased, and one for some megabytes of
// what is put. Those that put return one row with the number of entries that were not there before; the others say what they deleted.
class entry_statements {
public:
  entry_statements(state_tables const& tables, std::int64_t checkpoint, std::span<state_change const> changes);
  std::vector<statement> take() noexcept { return std::move(all_); }
  bool is_put(std::size_t i) const noexcept { return i >= puts_from_; }

private:
  void add_prefix(state_tables const& tables, net_changes::name const& prefix);
  void add_erased(state_tables const& tables, std::span<net_changes::name const> names);
  void add_put(state_tables const& tables, std::span<state_entry const* const> entries);

  std::int64_t checkpoint_;
  std::vector<statement> all_;
  std::size_t puts_from_ = 0;
};

}  // namespace weir::postgres::detail
