#pragma once
#include <optional>
#include <string_view>
#include <system_error>

namespace weir::kinesis {

/// What Kinesis refuses in words of its own. What all services of AWS have in common is `weir::errc`: `throttled`, `unavailable`,
/// `access_denied`, `not_found`, `rejected`.
enum class errc {
  expired_iterator = 1,  ///< the shard iterator is more than five minutes old: get another one behind the last record
  expired_next_token,    ///< the token of a page is more than five minutes old: begin with the first page again
  resource_in_use,       ///< the stream or the consumer is being changed, or there already is one of that name
  invalid_argument,      ///< an argument is out of its range
  key_unusable,          ///< the KMS key which the stream is encrypted by is disabled, deleted or not ready
  unknown_operation,     ///< whoever answers there does not know this operation
};

/// The category of `errc`, "kinesis". Its messages are the sentences above.
std::error_category const& kinesis_category() noexcept;
/// Found by `std::error_code(errc)`.
std::error_code make_error_code(errc e) noexcept;
/// The code for what Kinesis says: "ExpiredIteratorException". Null: it has none of its own.
std::optional<std::error_code> code_of(std::string_view said) noexcept;

}  // namespace weir::kinesis

template <> struct std::is_error_code_enum<weir::kinesis::errc> : std::true_type {};
