#pragma once
#include <weir/instant.hpp>
#include <weir/lambda/detail/chunk_content.hpp>
#include <weir/position.hpp>
#include <weir/record.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::lambda {

/// A header of a record; a name may be there several times.
struct kafka_header {
  kafka_header() = default;

  std::string name;
  std::string value;  ///< bytes
  friend bool operator==(kafka_header const&, kafka_header const&) = default;
};

/// A record of a topic. It shares the bytes of its chunk, so it may be kept for longer than that. A record that was moved from has no
/// content any more, but still knows its position. Thread-safety: as a value.
/// Source: "Using Lambda with Amazon MSK", AWS Lambda developer guide.
class kafka_record {
public:
  /// Null for a tombstone: the key was deleted. Valid as long as the record, like the other views.
  std::optional<std::string_view> value() const noexcept { return is_.value; }
  std::optional<std::string_view> key() const noexcept { return is_.key; }
  /// The value; empty where there is none.
  std::string_view payload() const noexcept { return is_.value.value_or(std::string_view()); }
  /// The key; empty where there is none.
  std::string_view partition_key() const noexcept { return is_.key.value_or(std::string_view()); }
  /// Its offset.
  weir::position position() const noexcept { return is_.position; }
  std::uint64_t offset() const noexcept { return is_.position.offset(); }
  /// To the millisecond: when its producer made it, or, where `logged`, when the broker got it; `start_of_time`: not said.
  instant arrival() const noexcept { return is_.arrival; }
  bool logged() const noexcept { return is_.logged; }
  std::string_view topic() const noexcept { return is_.topic; }
  std::uint32_t partition() const noexcept { return is_.partition; }

  /// Its headers in their order. Each call reads the text again. Throws `errc::malformed` when they are none.
  std::vector<kafka_header> headers() const;

private:
  friend class kafka_records;
  struct fields {
    std::optional<std::string_view> value, key;
    std::string_view topic, headers;
    weir::position position;
    instant arrival = start_of_time;
    std::uint32_t partition = 0;
    bool logged = false;
  };
  detail::chunk_content<fields> is_;
};
static_assert(stream_record<kafka_record>);

}  // namespace weir::lambda
