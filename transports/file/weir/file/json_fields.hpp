#pragma once
#include <weir/file/field_memory.hpp>
#include <weir/file/field_text.hpp>
#include <weir/file/json_structure.hpp>
#include <weir/file/line_fault.hpp>
#include <weir/file/rare_byte.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::file {

/// Reads selected top-level fields of lines that are one JSON object each (RFC 8259), in one pass, and checks all of the line on the
/// way: structure, tokens, escapes, UTF-8. Performs no I/O and never throws but `std::bad_alloc`.
///
/// Text is not copied: fields are views of the line, or, where a string has escapes, of `field_memory`. A selected field that appears
/// twice, and a required one that is missing, null, an object or an array, is a fault. Other fields may be anything that is JSON.
///
/// Works on runs of lines: `index` looks at many at once, since finding tokens has a start-up cost, then `parse` takes
/// them one by one. When anything in the run is wrong, every line is indexed by itself, so that one broken line is one fault.
/// It remembers the keys of the last line, in their order: lines of one shape cost one comparison per key.
class json_fields {
public:
  /// Bytes behind each text that must be readable.
  static constexpr std::size_t padding = json_structure::padding;
  /// The most fields that can be selected.
  static constexpr std::size_t most = 64;

  /// Selects `names`, at most 64, of which the first `required` must be there.
  json_fields(std::span<std::string const> names, std::size_t required);

  /// Shows a run of whole lines. It stays where it is until its last line is parsed.
  void index(std::string_view run);
  /// Reads a line of the run into `fields`, as many as were selected, all `missing` before. Lines are taken in order; some may be left out.
  line_fault parse(std::string_view line, field_text* fields, field_memory& memory);

private:
  static constexpr int none = -1, bad_key = -2;
  struct known_key {              // what the key at one place of the last line was
    std::array<char, 32> text{};  // zeros behind the key
    std::uint32_t size = ~std::uint32_t(0);
    int field = none;
  };

  int find(std::string_view key, std::size_t place, bool escapes, field_memory& memory);
  int find_unknown(std::string_view key, std::size_t place, bool escapes, field_memory& memory);
  int look_up(std::string_view key) const noexcept;
  fault_kind check(int field, field_kind kind, std::uint64_t& seen) const noexcept;
  static bool unescape(std::string_view& text, field_memory& memory);

  std::vector<std::string> names_;
  std::uint64_t required_;
  json_structure structure_;
  std::array<known_key, 32> known_{};
  char const* base_ = nullptr;  // what the tokens count from
  std::uint32_t const* token_ = nullptr;
  rare_byte next_escape_;
  bool line_by_line_ = false;
};

}  // namespace weir::file
