#pragma once

#include <weir/state_store.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace state_tool {

/// Bytes as lower-case hexadecimal digits.
std::string hex(std::span<std::byte const> bytes);

/// A name of any bytes, for people: itself when it is plain text, else with `\xff` for what is not printable ASCII.
std::string name_text(std::string_view name);

/// The key of an entry, for people: text in quotes when it is plain text, else `0x` and hexadecimal digits.
std::string key_text(std::string_view key);
/// A key from the command line: `0x` and hexadecimal digits, or text as it is. Null for `0x` with something else behind it.
std::optional<std::string> parse_key(std::string_view text);

/// "bars / ticks / shard-1".
std::string checkpoint_text(weir::checkpoint_key const& key);
/// "position 17, version 3, 2 entries, 13 bytes".
std::string content_text(weir::saved_checkpoint const& c);
/// "1 entry", "2 entries".
std::string count_text(std::uint64_t n, std::string_view one, std::string_view many);

/// How long ago, in its two largest units: "4d 3h", "12s"; "in the future" for less than none.
std::string age_text(std::int64_t nanoseconds);

/// One line of JSON, an object.
class json_line {
public:
  json_line& add(std::string_view name, std::string_view text);
  json_line& add(std::string_view name, std::uint64_t number);
  json_line& add_value(std::string_view name, std::string_view json);
  /// As text under `name` when it is UTF-8, else as hexadecimal digits under `name`_hex.
  json_line& add_bytes(std::string_view name, std::string_view bytes);
  /// Pipeline, stream and partition.
  json_line& add_key(weir::checkpoint_key const& key);
  void print();

private:
  std::string text_;
};

/// Columns for people: each as wide as its widest cell, two spaces between.
class table {
public:
  enum class side { left, right };
  struct column {
    std::string title;
    side aligned = side::left;
  };
  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const;

private:
  void print_row(std::vector<std::string> const& row, std::vector<std::size_t> const& widths) const;
  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace state_tool
