#include <weir/redis/detail/state_keys.hpp>

namespace weir::redis::detail {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

std::string escaped(std::string_view name) {
  std::string out;
  for (char const c : name) {
    if (plain(c)) {
      out += c;
      continue;
    }
    auto const byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (!plain(text[i])) return std::nullopt;
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    auto const high = digits.find(text[i + 1]), low = digits.find(text[i + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return out;
}

}  // namespace

std::string index_of(std::string const& space, std::string const& pipeline) { return space + ":{" + escaped(pipeline) + "}"; }

state_keys::state_keys(std::string const& space, checkpoint_key const& key)
    : member(escaped(key.stream) + ":" + escaped(key.partition)), index(index_of(space, key.pipeline)) {
  std::string const base = index + ":" + member;
  head = base + ":head";
  state = base + ":state";
  order = base + ":order";
}

std::string index_pattern(std::string const& space) { return space + ":{*}"; }

std::optional<std::string> pipeline_of(std::string const& space, std::string_view index) {
  std::string const begin = space + ":{";
  if (!index.starts_with(begin) || !index.ends_with('}')) return std::nullopt;
  return unescaped(index.substr(begin.size(), index.size() - begin.size() - 1));
}

std::optional<checkpoint_key> key_of(std::string const& pipeline, std::string_view member) {
  auto const colon = member.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  auto stream = unescaped(member.substr(0, colon)), partition = unescaped(member.substr(colon + 1));
  if (!stream || !partition) return std::nullopt;
  return checkpoint_key(pipeline, *std::move(stream), *std::move(partition));
}

}  // namespace weir::redis::detail
