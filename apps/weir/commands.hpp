#pragma once

#include "opened_store.hpp"
#include "options.hpp"

namespace state_tool {

/// Each does what the command of its name says, and returns the exit code. Errors: `weir::error`.
int list(opened_store& store, options const& o);
int list_schemas(opened_store& store, options const& o);
int dump(opened_store& store, options const& o);
int verify(opened_store& store, options const& o);
int diff(opened_store& a, opened_store& b, options const& o);
int rewind(opened_store& store, options const& o);
int erase(opened_store& store, options const& o);

/// Opens what the command line names, and runs its command.
int run_state(options const& o);

}  // namespace state_tool
