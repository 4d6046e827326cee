#pragma once

#include <weir/task.hpp>

#include <string>
#include <string_view>

namespace state_tool {

/// Where lines go.
class line_target {
public:
  line_target() = default;
  line_target(line_target const&) = delete;
  line_target& operator=(line_target const&) = delete;
  virtual ~line_target() = default;

  /// Takes one over. False: it cannot; then `why` is one sentence for people.
  virtual bool take(std::string_view line, std::string& why) = 0;
  /// Returns when all that were taken are there.
  virtual weir::task<> deliver() = 0;
};

/// What messages call it: "put", "record", "records", "stream", "put into bars".
struct feed_words {
  std::string verb, one, many, place, done;
};

/// Feeds the lines of a file, gzip or not ("-": standard input, as it comes), but blank ones, and says on standard error how many they
/// were. Errors: those of `file::source` and of the target, with what is there by then; `errc::malformed` for a line that cannot be taken,
/// when those before it are there.
void feed_lines(std::string const& file, line_target& to, feed_words const& words);

}  // namespace state_tool
