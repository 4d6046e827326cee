#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace weir::detail {

// Texts of any bytes, one behind the other, so that the wholes, compared as bytes, are in the order of the texts: the first one counts
// most, and what begins like another comes behind it. A length in front would not do: "b" would come before "aa".

// Appends `text` and its end: 00 01, and 00 FF in place of 00 within it.
inline void put_ordered(std::string& to, std::string_view text) {
  for (char const c : text) {
    to += c;
    if (c == '\0') to += '\xff';
  }
  to.append("\0\1", 2);
}

// Takes what `put_ordered` appended from the front; null when there is none.
inline std::optional<std::string> take_ordered(std::string_view& from) {
  std::string text;
  for (std::size_t i = 0; i < from.size(); ++i) {
    text += from[i];
    if (from[i] != '\0') continue;
    if (++i == from.size()) return std::nullopt;
    if (from[i] == '\xff') continue;
    if (from[i] != '\1') return std::nullopt;
    text.pop_back();
    from.remove_prefix(i + 1);
    return text;
  }
  return std::nullopt;
}

// The first text behind all that begin with `prefix`; empty when there is none.
inline std::string behind_prefix(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
  if (!prefix.empty()) prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

}  // namespace weir::detail
