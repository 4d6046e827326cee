#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace command_line {

/// Adds `-i,--input FILE`. The name is not empty when it was given.
CLI::Option* add_input(CLI::App& app, std::string& file, std::string const& what);

/// Adds `--on-broken-line fail|dead-letter FILE` for lines that are not `thing` ("a tick"); `file` is empty for `fail`, the default.
CLI::Option* add_broken_lines(CLI::App& app, std::string& file, std::string const& thing);

/// Adds an option that takes a length of time, such as 90s or 5m, of at least `least` ns (0 where none at all makes sense)
/// and at most 20 years, as operators on time have it. `length`, in ns, is also its default.
CLI::Option* add_duration(CLI::App& app, std::string const& flag, std::int64_t& length, std::string const& what, std::int64_t least);

}  // namespace command_line
