#pragma once
#include <weir/postgres/connection.hpp>
#include <weir/postgres/detail/state_tables.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::postgres::detail {

// One try each, on a connection without a transaction. All that is read is of one moment.
task<std::optional<saved_checkpoint>> read_checkpoint(connection& on, state_tables const& tables, checkpoint_key const& key);
task<std::vector<checkpoint_listing>> read_listing(connection& on, state_tables const& tables, std::string const& pipeline);
task<std::vector<checkpoint_key>> read_keys(connection& on, state_tables const& tables);

// Erasing a checkpoint, which may be tried again: what somebody begins anew meanwhile is not erased.
class checkpoint_erasure {
public:
  checkpoint_erasure(state_tables const& tables, checkpoint_key key) : tables_(&tables), key_(std::move(key)) {}
  task<> run(connection& on);

private:
  state_tables const* tables_;
  checkpoint_key key_;
  std::optional<std::int64_t> id_;  // 0: there was none
};

}  // namespace weir::postgres::detail
