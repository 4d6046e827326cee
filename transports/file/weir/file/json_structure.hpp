#pragma once
#include <weir/file/line_fault.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace weir::file {

/// Finds where the tokens of JSON text are, and that it is UTF-8, without control characters in its strings: the first of the two stages of
/// simdjson ("Parsing Gigabytes of JSON per Second", section 3.1). The text may be many lines; when there is nothing wrong with it, no
/// string crosses a line break. Keeps its memory, 4 bytes for each of the longest text so far.
class json_structure {
public:
  /// Bytes behind a text that must be readable.
  static constexpr std::size_t padding = 64;

  json_structure();
  ~json_structure();
  json_structure(json_structure&&) noexcept;
  json_structure& operator=(json_structure&&) noexcept;

  /// Indexes `text`. After a fault there is no index.
  line_fault index(std::string_view text);
  /// Offsets of the first byte of each token, in order (of a string: its opening quote). Behind the last stands the size of the text.
  std::uint32_t const* tokens() const noexcept { return tokens_; }

private:
  struct state;
  std::unique_ptr<state> state_;
  std::uint32_t const* tokens_ = nullptr;
};

}  // namespace weir::file
