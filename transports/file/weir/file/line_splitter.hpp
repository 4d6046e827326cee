#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::file {

/// A line and where it stands.
struct text_line {
  std::string_view text;     ///< without its line break
  std::uint64_t offset = 0;  ///< of its first byte
  std::uint64_t next = 0;    ///< of the first byte behind it and its line break
  std::uint64_t number = 0;  ///< the first line of the text is 1
};

/// Cuts text into lines, at "\n" and "\r\n"; a "\r" elsewhere belongs to the line. Performs no I/O and holds no bytes: the caller shows
/// it the window of bytes that are not used up yet, the same ones and more after `more`. Each byte is looked at once.
///
/// A line of more than `max_line` bytes is reported once, by the beginning of its text, as soon as that is known; the rest of it
/// is passed over without being kept, however long it is.
class line_splitter {
public:
  enum class outcome : std::uint8_t {
    line,      ///< a line, complete
    more,      ///< no complete line: show more bytes, or call `finish` when there are none
    too_long,  ///< a line over the limit; its text is cut at the limit and `next` is not known
  };

  /// `max_line` >= 1 bytes, the line break not counted. `offset`, `lines`: where the window begins, and how many lines came before.
  explicit line_splitter(std::size_t max_line, std::uint64_t offset = 0, std::uint64_t lines = 0) noexcept
      : max_line_(max_line), offset_(offset), lines_(lines) {}

  /// The next line of `window`; removes what it used up from its front.
  outcome next(std::string_view& window, text_line& line) noexcept;
  /// The same at the end of the data, where what is left without a line break is a line; `more` when nothing is left.
  outcome finish(std::string_view& window, text_line& line) noexcept;

  /// Where the window begins.
  std::uint64_t offset() const noexcept { return offset_; }
  /// Lines so far, one too long included.
  std::uint64_t lines() const noexcept { return lines_; }
  /// Moves over bytes that the caller took off the window itself.
  void pass(std::size_t bytes) noexcept;

private:
  outcome give(std::string_view& window, text_line& line, std::size_t length, std::size_t with_break) noexcept;
  outcome without_break(std::string_view& window, text_line& line) noexcept;
  bool skip(std::string_view& window) noexcept;
  void use(std::string_view& window, std::size_t bytes) noexcept;

  std::size_t max_line_;
  std::uint64_t offset_, lines_;
  std::size_t scanned_ = 0;  // bytes of the window known to hold no line break
  bool skipping_ = false;    // inside a line that was reported as too long
};

}  // namespace weir::file
