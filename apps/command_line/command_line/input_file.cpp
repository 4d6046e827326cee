#include "input_file.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace command_line {
namespace {

namespace fs = std::filesystem;

bool is_gzip(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  return in.get() == 0x1f && in.get() == 0x8b;
}

void refuse_as_output(std::string_view program, fs::path const& input, output_name const& output) {
  std::error_code ignored;
  if (output.file.empty() || !fs::equivalent(input, output.file, ignored)) return;
  throw weir::error(weir::errc::invalid_option, fmt::format("{}: cannot use {}", program, output.file),
                    fmt::format("it is the input and would be written to by {}", output.flag),
                    fmt::format("give {} another name", output.flag));
}

}  // namespace

input_file look_at_input(std::string_view program, std::string const& file, std::string_view things, std::span<output_name const> outputs) {
  std::error_code reason;
  fs::path path = fs::absolute(file);
  auto const kind = fs::status(path, reason).type();
  if (kind == fs::file_type::regular) path = fs::canonical(path, reason);
  if (!reason && kind == fs::file_type::directory) reason = std::make_error_code(std::errc::is_a_directory);
  if (reason) {
    throw weir::error(reason, fmt::format("{}: cannot read {}", program, file), reason.message(),
                      fmt::format("give --input the name of a file of {}", things));
  }
  for (auto const& output : outputs) refuse_as_output(program, path, output);

  input_file input;
  input.path = path.string();
  if (kind != fs::file_type::regular || is_gzip(input.path)) return input;
  auto const size = fs::file_size(path, reason);
  if (!reason) input.size = size;
  return input;
}

}  // namespace command_line
