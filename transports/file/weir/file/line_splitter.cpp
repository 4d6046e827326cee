#include <weir/file/line_splitter.hpp>

#include <algorithm>
#include <cstring>

namespace weir::file {

void line_splitter::pass(std::size_t bytes) noexcept {
  offset_ += bytes;
  scanned_ = 0;
}

void line_splitter::use(std::string_view& window, std::size_t bytes) noexcept {
  window.remove_prefix(bytes);
  pass(bytes);
}

line_splitter::outcome line_splitter::give(std::string_view& window, text_line& line, std::size_t length, std::size_t with_break) noexcept {
  bool const fits = length <= max_line_;
  line.text = window.substr(0, std::min(length, max_line_));
  line.offset = offset_;
  line.next = offset_ + with_break;
  line.number = ++lines_;
  use(window, with_break);
  return fits ? outcome::line : outcome::too_long;
}

bool line_splitter::skip(std::string_view& window) noexcept {
  std::size_t const newline = window.find('\n');
  skipping_ = newline == std::string_view::npos;
  use(window, skipping_ ? window.size() : newline + 1);
  return !skipping_;
}

line_splitter::outcome line_splitter::next(std::string_view& window, text_line& line) noexcept {
  if (skipping_ && !skip(window)) return outcome::more;
  char const* const begin = window.data();
  std::size_t const unseen = window.size() - scanned_;
  void const* const newline = unseen == 0 ? nullptr : std::memchr(begin + scanned_, '\n', unseen);
  if (!newline) return without_break(window, line);
  auto length = static_cast<std::size_t>(static_cast<char const*>(newline) - begin);
  std::size_t const with_break = length + 1;
  if (length > 0 && begin[length - 1] == '\r') --length;
  return give(window, line, length, with_break);
}

line_splitter::outcome line_splitter::without_break(std::string_view& window, text_line& line) noexcept {
  scanned_ = window.size();
  std::size_t length = window.size();
  if (length > 0 && window.back() == '\r') --length;  // perhaps half of a line break
  if (length <= max_line_) return outcome::more;
  outcome const o = give(window, line, length, window.size());
  skipping_ = true;
  return o;
}

line_splitter::outcome line_splitter::finish(std::string_view& window, text_line& line) noexcept {
  outcome const o = next(window, line);
  if (o != outcome::more || window.empty()) return o;
  return give(window, line, window.size(), window.size());
}

}  // namespace weir::file
