#pragma once
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/result.hpp>
#include <weir/amqp/value_view.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::amqp {

/// What of a message is what it carries, in the three forms that there are.
enum class body_kind : std::uint8_t { none, data, sequence, value };

/// The sections of a message, as views: nothing is copied, and of a section nothing but its size has been looked at. What is absent is
/// null.
/// ```cpp
/// auto const message = message_view::read(bytes);
/// if (!message) return message.error();
/// auto const offset = find(message->message_annotations, "x-opt-offset");
/// ```
/// Source: AMQP 1.0, 3.2.
struct message_view {
  /// `errc` of `value_reader`; `unknown_body` for what is no section; `wrong_type` for a section that is not of its type, or stands where
  /// it must not: behind one that it belongs in front of, twice, or beside a body of another kind.
  static result<message_view> read(std::string_view bytes) noexcept;

  value_view header;                ///< a list
  value_view delivery_annotations;  ///< a map, as the next
  value_view message_annotations;
  value_view properties;              ///< a list: `read_properties`
  value_view application_properties;  ///< a map
  value_view footer;                  ///< a map
  body_kind kind = body_kind::none;
  value_view body;             ///< the first section of the body: a binary, a list, or any value
  std::uint32_t sections = 0;  ///< of the body: more than one data or sequence may stand behind each other
  std::string_view bodies;     ///< all of them, as they are encoded: `body_reader`
};

/// The sections of a body, one behind the other.
class body_reader {
public:
  explicit body_reader(message_view const& of) noexcept : reader_(of.bodies), left_(of.sections) {}
  std::uint32_t left() const noexcept { return left_; }
  /// What is in the next one; null when there is none.
  result<value_view> next() noexcept;

private:
  value_reader reader_;
  std::uint32_t left_;
};

/// What a message says of itself. Ids are of any of four types and stay encoded. Times are ms since 1970.
/// Source: AMQP 1.0, 3.2.4.
struct properties_view {
  static constexpr std::uint64_t code = 0x73;
  encoded_view message_id;
  binary_view user_id;
  std::string_view to, subject, reply_to;
  encoded_view correlation_id;
  symbol_view content_type, content_encoding;
  std::optional<std::int64_t> absolute_expiry_time, creation_time;
  std::string_view group_id;
  std::optional<std::uint32_t> group_sequence;
  std::string_view reply_to_group_id;
};

/// The fields of `message_view::properties`; defaults for null.
result<properties_view> read_properties(value_view list) noexcept;

}  // namespace weir::amqp
