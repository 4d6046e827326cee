#pragma once

#include <weir/file/line_file.hpp>
#include <weir/file/options.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace command_line {

/// A record of a stream that could not be used.
struct broken_record {
  std::string_view message;  ///< the whole error, one sentence with stream, partition and position
  std::string_view stream, partition, position, text;
};

/// Lines that could not be used, in a file of NDJSON: `{"error":"...","file":"...","line":5,"byte":312,"text":"..."}`, and records of
/// streams: `{"error":"...","stream":"...","partition":"...","position":"...","text":"..."}`; bytes that are not UTF-8 become U+FFFD. After
/// a crash a line may be there twice. Errors: those of `weir::file::line_file`.
class dead_letters {
public:
  explicit dead_letters(std::string file) : lines_(std::move(file), "dead letters", R"({"error":)") {}

  /// What a source does with such lines; refers to this object.
  weir::file::broken_line_policy policy();
  /// The same by hand.
  void add(broken_record const& record);
  /// To be called before progress is stored that passes over them.
  void flush() { lines_.flush(); }
  /// Lines so far.
  std::uint64_t count() const noexcept { return count_; }

private:
  void add(weir::file::broken_line const& line);

  weir::file::line_file lines_;
  std::uint64_t count_ = 0;
};

}  // namespace command_line
