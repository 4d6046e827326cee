#pragma once

#include "store_name.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace command_line {

/// Adds an option or an argument that takes the name of a store, as `parse_store_name` reads it, and gives it to `take`. A mistake is told
/// without what was given, in which there may be a password.
CLI::Option* add_store(CLI::App& app, std::string const& flag, std::string const& what, std::function<void(store_name)> take);

}  // namespace command_line
