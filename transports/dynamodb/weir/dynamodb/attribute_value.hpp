#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace weir::dynamodb {

class attribute_value;
/// The attributes of an item by their names.
using item = std::map<std::string, attribute_value>;

/// What an attribute of an item is. A value; two are equal when they are of one kind and have the same content (numbers: the same digits).
///
/// `as_...` gives the content, or null where the value is of another kind, so that what another program wrote is looked at without fear:
/// ```cpp
/// if (auto const* const owner = row["leaseOwner"].as_string()) ...
/// ```
/// Source: "AttributeValue", DynamoDB API reference, version 2012-08-10.
class attribute_value {
public:
  using bytes = std::vector<std::byte>;
  using list_type = std::vector<attribute_value>;
  /// A number as the digits of it: DynamoDB has 38 of them, and no number type of C++ has.
  struct number_type {
    std::string digits;
    friend auto operator<=>(number_type const&, number_type const&) = default;
  };
  /// Sets; DynamoDB has none that is empty.
  struct number_set_type {
    std::set<std::string> digits;
    friend bool operator==(number_set_type const&, number_set_type const&) = default;
  };
  using string_set_type = std::set<std::string>;
  using binary_set_type = std::set<bytes>;

  attribute_value() noexcept = default;  ///< NULL
  static attribute_value string(std::string text) { return attribute_value(content(std::move(text))); }
  static attribute_value number(std::string digits) { return attribute_value(content(number_type{std::move(digits)})); }
  static attribute_value number(std::uint64_t n) { return number(std::to_string(n)); }
  static attribute_value binary(bytes b) { return attribute_value(content(std::move(b))); }
  static attribute_value boolean(bool b) { return attribute_value(content(b)); }
  static attribute_value list(list_type all) { return attribute_value(content(std::move(all))); }
  static attribute_value map(item all) { return attribute_value(content(std::move(all))); }
  static attribute_value string_set(string_set_type all) { return attribute_value(content(std::move(all))); }
  static attribute_value number_set(std::set<std::string> all) { return attribute_value(content(number_set_type{std::move(all)})); }
  static attribute_value binary_set(binary_set_type all) { return attribute_value(content(std::move(all))); }

  bool is_null() const noexcept { return std::holds_alternative<std::monostate>(content_); }
  std::string const* as_string() const noexcept { return std::get_if<std::string>(&content_); }
  /// Its digits: "17", "-0.5", "1E+30".
  std::string const* as_number() const noexcept {
    auto const* const n = std::get_if<number_type>(&content_);
    return n ? &n->digits : nullptr;
  }
  /// A whole number of 64 bits; null also for one that is not.
  std::optional<std::uint64_t> as_unsigned() const noexcept;
  bytes const* as_binary() const noexcept { return std::get_if<bytes>(&content_); }
  bool const* as_boolean() const noexcept { return std::get_if<bool>(&content_); }
  list_type const* as_list() const noexcept { return std::get_if<list_type>(&content_); }
  item const* as_map() const noexcept { return std::get_if<item>(&content_); }
  string_set_type const* as_string_set() const noexcept { return std::get_if<string_set_type>(&content_); }
  std::set<std::string> const* as_number_set() const noexcept {
    auto const* const n = std::get_if<number_set_type>(&content_);
    return n ? &n->digits : nullptr;
  }
  binary_set_type const* as_binary_set() const noexcept { return std::get_if<binary_set_type>(&content_); }

  friend bool operator==(attribute_value const& a, attribute_value const& b);

private:
  using content = std::variant<std::monostate, std::string, number_type, bytes, bool, list_type, item, string_set_type, number_set_type,
                               binary_set_type>;
  explicit attribute_value(content c) noexcept : content_(std::move(c)) {}

  content content_;
};

/// The attribute of that name; null: the item has none.
attribute_value const* find(item const& in, std::string const& name) noexcept;

}  // namespace weir::dynamodb
