#include "text.hpp"

#include <command_line/json_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace state_tool {
namespace {

std::span<std::byte const> bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

// In characters; every byte of UTF-8 but the first of a character begins with the bits 10.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace

std::string hex(std::span<std::byte const> bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (std::byte const b : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[std::to_integer<std::size_t>(b) >> 4U];
    out += digits[std::to_integer<std::size_t>(b) & 15U];
  }
  return out;
}

std::string name_text(std::string_view name) {
  if (command_line::is_plain_text(name)) return std::string(name);
  std::string out;
  for (char const c : name) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) out += fmt::format("\\x{:02x}", byte);
    else out += c;
  }
  return out;
}

std::string key_text(std::string_view key) {
  return command_line::is_plain_text(key) ? command_line::json_string(key) : "0x" + hex(bytes_of(key));
}

std::optional<std::string> parse_key(std::string_view text) {
  if (!text.starts_with("0x")) return std::string(text);
  text.remove_prefix(2);
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (; !text.empty(); text.remove_prefix(2)) {
    std::string_view const digits = text.substr(0, 2);
    unsigned byte = 0;
    auto const [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    out += static_cast<char>(byte);
  }
  return out;
}

std::string checkpoint_text(weir::checkpoint_key const& key) {
  return fmt::format("{} / {} / {}", name_text(key.pipeline), name_text(key.stream), name_text(key.partition));
}

std::string content_text(weir::saved_checkpoint const& c) {
  std::uint64_t bytes = 0;
  for (auto const& e : c.entries) bytes += e.operator_id.size() + e.key.size() + e.value.size();
  return fmt::format("position {}, version {}, {}, {}", c.head.position.text(), c.head.version,
                     count_text(c.entries.size(), "entry", "entries"), count_text(bytes, "byte", "bytes"));
}

std::string count_text(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string age_text(std::int64_t nanoseconds) {
  if (nanoseconds < 0) return "in the future";
  std::int64_t const seconds = nanoseconds / 1'000'000'000;
  std::int64_t const minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  if (days != 0) return fmt::format("{}d {}h", days, hours % 24);
  if (hours != 0) return fmt::format("{}h {}m", hours, minutes % 60);
  if (minutes != 0) return fmt::format("{}m {}s", minutes, seconds % 60);
  return fmt::format("{}s", seconds);
}

json_line& json_line::add_value(std::string_view name, std::string_view json) {
  text_ += fmt::format("{}{}:{}", text_.empty() ? "{" : ",", command_line::json_string(name), json);
  return *this;
}
json_line& json_line::add(std::string_view name, std::string_view text) {
  return add_value(name, command_line::json_string(command_line::as_utf8(text)));
}
json_line& json_line::add(std::string_view name, std::uint64_t number) { return add_value(name, std::to_string(number)); }
json_line& json_line::add_bytes(std::string_view name, std::string_view bytes) {
  if (command_line::is_utf8(bytes)) return add(name, bytes);
  return add(std::string(name) + "_hex", hex(bytes_of(bytes)));
}
json_line& json_line::add_key(weir::checkpoint_key const& key) {
  return add_bytes("pipeline", key.pipeline).add_bytes("stream", key.stream).add_bytes("partition", key.partition);
}
void json_line::print() { fmt::print("{}}}\n", text_.empty() ? "{" : text_); }

void table::print() const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (auto const& c : columns_) {
    titles.push_back(c.title);
    widths.push_back(width_of(c.title));
  }
  for (auto const& row : rows_)
    for (std::size_t i = 0; i != row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  print_row(titles, widths);
  for (auto const& row : rows_) print_row(row, widths);
}

void table::print_row(std::vector<std::string> const& row, std::vector<std::size_t> const& widths) const {
  std::string line;
  for (std::size_t i = 0; i != row.size(); ++i) {
    std::string const space(widths[i] - width_of(row[i]), ' ');
    if (i != 0) line += "  ";
    line += columns_[i].aligned == side::right ? space + row[i] : row[i] + space;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print("{}\n", line);
}

}  // namespace state_tool
