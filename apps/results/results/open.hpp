#pragma once

#include <results/database.hpp>

#include <command_line/store_name.hpp>

#include <weir/state_store.hpp>

#include <memory>

namespace results {

/// Opens the place for results that `name` names: a file of SQLite is made where there is none; a server is not connected to yet.
/// Errors: `weir::error`; `errc::invalid_option` for a store that keeps no tables, or whose library was not built.
std::unique_ptr<database> open_database(command_line::store_name const& name);

/// Opens checkpoints; `table` writes in their commits, but for those of DynamoDB, which keeps no results. Where that is, environment and
/// profiles say, as for AWS' own tools. Errors: likewise.
std::shared_ptr<weir::state_store> open_checkpoints(command_line::store_name const& name);

}  // namespace results
