#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::net {

/// The header fields of an HTTP message, in their order. Names are compared without regard to case. A value, some fields may occur more
/// than once.
/// Source: RFC 9110, section 5.
class headers {
public:
  using field = std::pair<std::string, std::string>;  ///< name, value

  /// Appends a field. Throws `errc::invalid_option` when `name` is no token, or `value` has a line break or a zero in it: it would be read
  /// as another field.
  headers& add(std::string name, std::string value);
  /// The same in the place of all fields of that name.
  headers& set(std::string name, std::string value);
  /// Drops all fields of that name.
  headers& erase(std::string_view name) noexcept;
  /// The value of the first field of that name; valid as long as it stays.
  std::optional<std::string_view> find(std::string_view name) const noexcept;

  auto begin() const noexcept { return fields_.begin(); }
  auto end() const noexcept { return fields_.end(); }
  std::size_t size() const noexcept { return fields_.size(); }
  bool empty() const noexcept { return fields_.empty(); }

private:
  std::vector<field> fields_;
};

/// Whether the text can be the name of a field, or a method. Source: RFC 9110, section 5.6.2.
bool is_token(std::string_view text) noexcept;
/// Whether they are the same but for the case of ASCII letters.
bool same_name(std::string_view a, std::string_view b) noexcept;
/// With its ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace weir::net
