#pragma once
#include <cstdint>
#include <string_view>

namespace weir::file {

/// What a selected field of a line is.
enum class field_kind : std::uint8_t {
  missing,  ///< the line has no such field
  null,     ///< JSON null
  boolean,  ///< JSON true or false, as its literal text
  number,   ///< a JSON number, as its literal text: no digit is lost
  string,   ///< a JSON string without quotes and escapes, or a CSV field
  nested,   ///< a JSON object or array, as its text
};

/// A selected field: its kind and a view of its text. The text of a missing field is empty, that of null is "null".
class field_text {
public:
  field_text() noexcept = default;
  field_text(field_kind kind, char const* begin, char const* end) noexcept
      : data_(begin), size_(static_cast<std::uint32_t>(end - begin)), kind_(kind) {}

  field_kind kind() const noexcept { return kind_; }
  std::string_view text() const noexcept { return std::string_view(data_, size_); }

private:
  char const* data_ = nullptr;
  std::uint32_t size_ = 0;
  field_kind kind_ = field_kind::missing;
};

}  // namespace weir::file
