#pragma once
#include <weir/error.hpp>
#include <weir/file/field_memory.hpp>
#include <weir/file/line_parser.hpp>
#include <weir/file/line_splitter.hpp>
#include <weir/file/options.hpp>
#include <weir/file/record.hpp>
#include <weir/shared_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weir::file {

/// Makes records of a file's text: bytes in, chunks of records out. Performs no I/O.
///
/// Text is read into blocks that records share; a block that no record refers to any more is used again, so that reading on allocates
/// nothing. A line that continues in the next block is copied to its front.
class record_builder {
public:
  /// The most records of a chunk.
  static constexpr std::size_t most = 256;

  record_builder(std::shared_ptr<options const> o, std::string path);

  /// Begins behind a position instead of at the front of the file. `inside_line`: the byte before `offset` is no line break, so that
  /// the line which was the last one then may go on there.
  void start_at(std::uint64_t offset, std::uint64_t lines, bool inside_line);
  /// The header, when reading does not begin with it.
  void set_header(std::string_view row, std::uint64_t number, std::uint64_t offset);
  bool wants_header() const noexcept { return parser_.wants_header(); }

  /// Where the next bytes of the text go: at least one. What `next` returned is given back by then.
  std::span<char> room();
  void filled(std::size_t bytes) noexcept;
  /// There are no more bytes: what is left is the last line.
  void end_of_data() noexcept { ended_ = true; }

  /// The next records, held until the next call. None: more bytes are needed, or the end is reached. Throws `weir::error` for a
  /// broken line, after the records before it were returned.
  std::span<record> next(instant arrival);

  /// How many lines went to the dead-letter function.
  std::uint64_t dead_letters() const noexcept { return dead_letters_; }

private:
  struct found_line {
    text_line line;
    bool fits = true;
  };
  std::string_view window() const noexcept { return std::string_view(begin_, static_cast<std::size_t>(end_ - begin_)); }
  bool at_line_start();
  void find_lines();
  void make_record(found_line& found, instant arrival);
  void broken(text_line const& line, line_fault const& fault);
  error describe(text_line const& line, line_fault const& fault) const;
  void take_back() noexcept;
  void new_block(std::size_t text_size);
  void lay_out(std::string_view unfinished, std::size_t text_size);
  std::size_t block_bytes(std::size_t text_size) const noexcept;

  std::shared_ptr<options const> options_;
  std::string path_;
  line_parser parser_;
  line_splitter splitter_;
  field_memory memory_;
  std::vector<record> records_;    // `most`, of which `count_` are in use
  std::vector<found_line> lines_;  // likewise
  std::size_t count_ = 0, line_count_ = 0;

  shared_bytes block_;
  shared_bytes_stock stock_;                                   // of references to `block_`
  std::vector<shared_bytes> retired_;                          // blocks that records may still refer to
  char *begin_ = nullptr, *end_ = nullptr, *limit_ = nullptr;  // the window, and how far it may grow

  std::exception_ptr failure_;
  std::uint64_t dead_letters_ = 0;
  bool ended_ = false;
  bool inside_line_ = false;
};

}  // namespace weir::file
