#include <weir/file/options.hpp>

#include <weir/error.hpp>
#include <weir/file/json_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weir::file {
namespace {

void require(bool holds, std::string_view what, std::string why) {
  if (!holds) throw error(errc::invalid_option, fmt::format("file: cannot use {}", what), std::move(why));
}

// The first one that appears again, or null.
std::string const* repeated(std::vector<std::string> const& all) {
  for (auto i = all.begin(); i != all.end(); ++i)
    if (std::find(i + 1, all.end(), *i) != all.end()) return &*i;
  return nullptr;
}

void check_distinct(std::vector<std::string> const& all, std::string_view what) {
  std::string const* const twice = repeated(all);
  require(!twice, what, fmt::format("\"{}\" is given twice", twice ? *twice : ""));
}

}  // namespace

format format_of(std::string_view path) noexcept {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  if (path.ends_with(".csv")) return format::csv;
  return path.ends_with(".ndjson") || path.ends_with(".jsonl") ? format::ndjson : format::lines;
}

void options::check() const {
  require(!paths.empty(), "paths", "none is given");
  require(std::ranges::none_of(paths, &std::string::empty), "paths", "one is empty");
  check_distinct(paths, "paths");

  std::vector<std::string> all = fields;
  all.insert(all.end(), optional_fields.begin(), optional_fields.end());
  check_distinct(all, "fields");
  require(all.size() <= json_fields::most, "fields", fmt::format("{} are selected, at most {} can be", all.size(), json_fields::most));
  require(format != format::lines || all.empty(), "fields", "plain lines have none; set the format to ndjson or csv");

  bool const ascii = delimiter > 0 && delimiter != 0x7f;
  require(ascii && delimiter != '"' && delimiter != '\n' && delimiter != '\r', "delimiter",
          "it has to be an ASCII character, but no quote or line break");
  require(format == format::csv || columns.empty(), "columns", "only CSV has them");

  require(max_line >= 1 && max_line <= std::size_t(256) << 20, "max_line", fmt::format("{} is not from 1 to 256 MiB", max_line));
  require(block_size >= std::size_t(4) << 10 && block_size <= std::size_t(64) << 20, "block_size",
          fmt::format("{} is not from 4 KiB to 64 MiB", block_size));
  if (follow) require(follow->poll.count() > 0, "follow.poll", "it has to be more than nothing");
  if (replay) {
    require(static_cast<bool>(replay->time), "replay.time", "there is no function that tells a record's time");
    require(std::isfinite(replay->speed) && replay->speed > 0, "replay.speed", fmt::format("{} is not a number above 0", replay->speed));
  }
}

}  // namespace weir::file
