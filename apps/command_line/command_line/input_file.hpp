#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace command_line {

/// A file that is to be read.
struct input_file {
  std::string path;                   ///< absolute, and without links where it is a regular file
  std::optional<std::uint64_t> size;  ///< of its text in bytes, where that is known: of a regular file which is not compressed
};

/// A file that is to be written: its name (empty: none, "-": standard output) and the option that names it.
struct output_name {
  std::string file;
  char const* flag;
};

/// Looks at the file that `--input` names, which should be one of `things` ("ticks"). Errors, in the name of `program`: `weir::error` when
/// there is no such file, when it is a folder, or when it is also one of the `outputs`.
input_file look_at_input(std::string_view program, std::string const& file, std::string_view things, std::span<output_name const> outputs);

}  // namespace command_line
