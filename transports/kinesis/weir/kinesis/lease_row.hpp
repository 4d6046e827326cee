#pragma once
#include <weir/kinesis/lease.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <string_view>

namespace weir::kinesis {

/// Why an item of a lease table is no lease.
enum class lease_row_fault : std::uint8_t {
  other_entity,    ///< it says that it is something else (`entityType`), KCL's own: leave it alone
  no_key,          ///< it has no leaseKey
  bad_counter,     ///< leaseCounter is no whole number
  bad_checkpoint,  ///< checkpoint is neither a word nor a sequence number, or its sub-sequence number is no number
  bad_hash_range,  ///< startingHashKey and endingHashKey are no range
  wrong_type,      ///< an attribute is of another type than KCL gives it
};

/// The sentence of a fault: "it has no leaseKey".
std::string_view to_string(lease_row_fault fault) noexcept;
/// `result::value()` throws `weir::error` with `errc::corrupt`.
[[noreturn]] void throw_exception_from_error(lease_row_fault fault, boost::source_location const& where);

/// An item as a lease. Reads what KCL 1, 2 and 3 write; what only later ones have is empty otherwise.
/// Source: DynamoDBLeaseSerializer of KCL 1.14, 2.7 and 3.5.
boost::system::result<lease, lease_row_fault> read_lease(dynamodb::item const& row);
/// A lease as the item of it that KCL reads: nothing is written for what is empty.
dynamodb::item write_lease(lease const& l);

}  // namespace weir::kinesis
