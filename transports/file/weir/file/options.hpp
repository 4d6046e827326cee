#pragma once
#include <weir/file/record.hpp>
#include <weir/instant.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::file {

/// What a line is.
enum class format : std::uint8_t {
  lines,   ///< bytes; every line is a record, also an empty one. Has no fields
  ndjson,  ///< one JSON object (RFC 8259); blank lines are passed over
  csv,     ///< a row (RFC 4180) without line breaks in its fields, the first one a header; blank lines are passed over
};

/// The format that a path's name says, ".gz" at its end apart: ".csv", ".ndjson" and ".jsonl"; everything else is lines.
format format_of(std::string_view path) noexcept;

/// A line that is no record, as it is given to a dead-letter function. The views are valid during the call.
struct broken_line {
  std::string_view message;  ///< the whole error, one sentence with file, line and byte
  std::string_view path;     ///< as it was given
  std::string_view text;     ///< the line; of one that is too long its first 1024 bytes
  std::uint64_t line_number = 0;
  std::uint64_t offset = 0;  ///< of the line's first byte; in a gzip file of the uncompressed text
};

/// What happens with a line that cannot be parsed.
class broken_line_policy {
public:
  /// The stream fails at the line, after all records before it were delivered. The default.
  broken_line_policy() = default;
  /// The line is given to `function` and passed over. What the function throws fails the stream. The line is counted in
  /// `dead_letter_total`. It has no position of its own: after a restart, broken lines behind the last finished record come again.
  explicit broken_line_policy(std::function<void(broken_line const&)> function) : function_(std::move(function)) {}

  bool fails() const noexcept { return !function_; }
  void dead_letter(broken_line const& line) const { function_(line); }

private:
  std::function<void(broken_line const&)> function_;
};

/// `.on_broken_line = file::dead_letter([](file::broken_line const& line) { ... })`.
inline broken_line_policy dead_letter(std::function<void(broken_line const&)> function) { return broken_line_policy(std::move(function)); }

/// Goes on at the end of the file, as `tail -f` does: the stream does not end, and a last line without a line break is not yet a
/// line. When there is nothing to read, the stream says so (`mark::idle`) and looks again after `poll`, on the pipeline's clock; each time
/// it finds nothing it says for how long by now, so that `event_time` can let time pass. Time in which its consumer is busy does not count.
struct follow_options {
  std::chrono::nanoseconds poll = std::chrono::milliseconds(200);  ///< > 0
};

/// Delivers each record when it is due: the first one at once, each other one as long after it as their times are apart, divided by
/// `speed`. What is overdue is delivered at once; order is kept.
struct replay_options {
  std::function<instant(record const&)> time;  ///< when it happened, in ns since the Unix epoch; what it throws fails the stream
  double speed = 1;                            ///< > 0 and finite; 60 replays an hour in a minute
};

/// What to read, and how. The `fields` of all records are in the order in which they are named here.
struct options {
  /// Each file is a partition, its path the id. At least one, no two alike. gzip is recognised by its content, not by its name.
  std::vector<std::string> paths;
  /// What their lines are; `format_of` guesses it from a name.
  file::format format = file::format::lines;

  /// Fields (JSON: of the top level; CSV: columns) that every line must have, and not as null, an object or an array.
  std::vector<std::string> fields;
  /// Fields that may be missing or anything. Together at most 64, no two alike.
  std::vector<std::string> optional_fields;

  /// CSV: the delimiter, an ASCII character other than a quote or a line break.
  char delimiter = ',';
  /// CSV: the names of the columns, for files without a header. Empty: the first line names them.
  std::vector<std::string> columns;

  broken_line_policy on_broken_line;
  /// Bytes of the longest line, from 1 to 256 MiB. A longer one is broken; it is never held in memory as a whole.
  std::size_t max_line = std::size_t(1) << 20;
  /// Bytes read at a time, from 4 KiB to 64 MiB. A record that is kept keeps about twice as much in memory.
  std::size_t block_size = std::size_t(64) << 10;

  /// Only for plain files.
  std::optional<follow_options> follow;
  std::optional<replay_options> replay;

  /// Throws `weir::error` (`errc::invalid_option`) that says which option cannot be used and why.
  void check() const;
};

}  // namespace weir::file
