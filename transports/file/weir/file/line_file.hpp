#pragma once

#include <string>
#include <string_view>

namespace weir::file {

/// Lines of JSON that are added at the end of a file, or on standard output; collected in memory until `flush`.
///
/// A line that a killed run left unfinished at the end of the file is cut off when the file is opened: it was not flushed, so it
/// comes again. Errors, of every member: `weir::error` with the file's name. Not thread-safe.
class line_file {
public:
  /// Opens or creates `file` for appending; "-" is standard output. `what` names it in messages ("events"), and all lines begin with
  /// `beginning`, by which an unfinished one is known.
  line_file(std::string file, std::string what, std::string beginning);
  line_file(line_file const&) = delete;
  line_file& operator=(line_file const&) = delete;
  ~line_file();

  /// Adds a line, without its end.
  void add(std::string_view line);
  /// Writes what was added; a file has it on the disk on return, a pipe in its buffer.
  void flush();

private:
  void cut_unfinished_line();
  [[noreturn]] void fail(char const* action) const;

  std::string file_, what_, beginning_;
  std::string lines_;
  int descriptor_;
  bool regular_ = false;
};

}  // namespace weir::file
