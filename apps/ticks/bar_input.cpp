#include "bar_input.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace ticks {
namespace {

namespace fs = std::filesystem;

bool names_csv(std::string path) {
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  return path.ends_with(".csv");
}

bool is_gzip(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  return in.get() == 0x1f && in.get() == 0x8b;
}

void refuse_as_output(fs::path const& input, std::string const& output, char const* flag) {
  std::error_code ignored;
  if (!fs::equivalent(input, output, ignored)) return;
  throw weir::error(weir::errc::invalid_option, fmt::format("ticks: cannot use {}", output),
                    fmt::format("it is the input and would be written to by {}", flag), fmt::format("give {} another name", flag));
}

bar_input look_at_file(options const& o) {
  std::error_code reason;
  fs::path path = fs::absolute(o.input);
  auto const kind = fs::status(path, reason).type();
  if (kind == fs::file_type::regular) path = fs::canonical(path, reason);
  if (reason)
    throw weir::error(reason, fmt::format("ticks: cannot read {}", o.input), reason.message(), "give --input the name of a file of ticks");
  if (kind == fs::file_type::directory) {
    throw weir::error(std::make_error_code(std::errc::is_a_directory), fmt::format("ticks: cannot read {}", o.input), "it is a directory",
                      "give --input the name of a file of ticks");
  }
  refuse_as_output(path, o.bars, "--bars");
  refuse_as_output(path, o.checkpoint_file(), "--checkpoint");
  if (!o.events.empty()) refuse_as_output(path, o.events, "--events");
  if (!o.dead_letters.empty()) refuse_as_output(path, o.dead_letters, "--on-broken-line");

  bar_input input;
  input.path = path.string();
  input.origin = bar_origin{"files", "file " + input.path};
  input.csv = o.format == options::input_format::csv || (o.format == options::input_format::by_name && names_csv(input.path));
  if (kind != fs::file_type::regular || is_gzip(input.path)) return input;
  auto const size = fs::file_size(path, reason);
  if (!reason) input.total = size;
  return input;
}

}  // namespace

bar_input look_at_input(options const& o) {
  if (!o.input.empty()) return look_at_file(o);
  bar_input input;
  input.origin = bar_origin{"the built-in " + o.made.identity(), "built-in " + o.made.identity()};
  if (o.count != 0) input.total = o.count;
  return input;
}

}  // namespace ticks
