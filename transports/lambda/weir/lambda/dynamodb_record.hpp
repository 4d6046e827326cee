#pragma once
#include <weir/dynamodb/attribute_value.hpp>
#include <weir/instant.hpp>
#include <weir/lambda/detail/chunk_content.hpp>
#include <weir/position.hpp>
#include <weir/record.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::lambda {

/// A change of an item in a table of DynamoDB. It shares the bytes of its chunk, so it may be kept for longer than that. A record that was
/// moved from has no content any more, but still knows its position. Thread-safety: as a value.
/// Source: "Record" and "StreamRecord", DynamoDB Streams API reference.
class dynamodb_record {
public:
  enum class change : std::uint8_t { insert, modify, remove };

  change what() const noexcept { return is_.what; }
  /// The `dynamodb` member of the record, as JSON text. Valid as long as the record, like the other views.
  std::string_view payload() const noexcept { return is_.payload; }
  /// The item's keys, as JSON text: {"Id":{"N":"101"}}.
  std::string_view partition_key() const noexcept { return is_.keys; }
  /// Its sequence number (`kinesis::sequence_number_of`), and behind it how many before it in the event have the same.
  weir::position position() const noexcept { return is_.position; }
  /// When it was made, to the second; `start_of_time`: not said.
  instant arrival() const noexcept { return is_.arrival; }
  std::string_view sequence_number() const noexcept { return is_.sequence_number; }
  std::string_view event_id() const noexcept { return is_.event_id; }
  /// Whether DynamoDB itself has removed the item, because its time to live was over.
  bool expired() const noexcept { return is_.expired; }

  /// The key attributes, and the item before and after the change; null where the stream does not have them (its view type), or there
  /// was no item then. Each call reads the text again. Throws `errc::malformed` when that is no item.
  dynamodb::item keys() const;
  std::optional<dynamodb::item> new_image() const;
  std::optional<dynamodb::item> old_image() const;

private:
  friend class dynamodb_records;
  struct fields {
    std::string_view payload, keys, new_image, old_image, sequence_number, event_id;
    weir::position position;
    instant arrival = start_of_time;
    change what = change::insert;
    bool expired = false;
  };
  detail::chunk_content<fields> is_;
};
static_assert(stream_record<dynamodb_record>);

}  // namespace weir::lambda
