#pragma once
#include <weir/instant.hpp>
#include <weir/position.hpp>
#include <weir/shared_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Values of JSON as they stand in a text that has been looked through: "text" with its quotes and escapes, 17, {"a":1}; empty: none.
namespace weir::lambda::detail {

// A value of which white space is behind; null: none.
std::string_view value_before_space(std::string_view text) noexcept;
// What is between the quotes, escapes as they are; null: it is no string.
std::optional<std::string_view> inside_string(std::string_view value) noexcept;
// A whole number from 0 on, also as a string of it.
std::optional<std::uint64_t> whole_number(std::string_view value) noexcept;
// Seconds since 1970 with a fraction, read to the millisecond.
std::optional<instant> seconds_value(std::string_view value) noexcept;
// A sequence number of Kinesis or DynamoDB, and a number behind it.
std::optional<position> sequence_position(std::string_view value, std::uint64_t sub = 0) noexcept;
// Of a record with the sequence number `number`, behind one at `last`: the same, or counted on where they have one number; null: below it.
std::optional<position> behind(std::optional<position> const& last, position const& number) noexcept;
// Milliseconds since 1970, also as a string of them.
std::optional<instant> milliseconds_value(std::string_view value) noexcept;

// Puts what values stand for behind each other into a block, which has room for all of them.
class value_block {
public:
  // Behind a text with strings in it.
  static constexpr std::size_t padding = 64;

  // With room for so many bytes of values.
  explicit value_block(std::size_t size);
  ~value_block();
  value_block(value_block const&) = delete;
  value_block& operator=(value_block const&) = delete;

  shared_bytes const& bytes() const noexcept { return bytes_; }

  // Null: it is no string, or has an escape that is none.
  std::optional<std::string_view> text(std::string_view value);
  // Null: it is no string, or no base64.
  std::optional<std::string_view> base64(std::string_view value);
  // The value as it stands.
  std::string_view copy(std::string_view value);

private:
  struct unescaper;
  std::optional<std::string_view> unescaped(std::string_view inside);
  std::unique_ptr<unescaper> unescaper_;  // null until there is something escaped
  shared_bytes bytes_;
  char* into_;
};

// A string by itself.
std::optional<std::string> text_of(std::string_view value);

}  // namespace weir::lambda::detail
