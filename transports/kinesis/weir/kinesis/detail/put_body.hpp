#pragma once
#include <weir/kinesis/outgoing_record.hpp>

#include <span>
#include <string>
#include <string_view>

namespace weir::kinesis::detail {

// The body of a PutRecord or PutRecords request.
std::string put_record_body(std::string_view stream, outgoing_record const& record);
std::string put_records_body(std::string_view stream, std::span<outgoing_record const> records);

}  // namespace weir::kinesis::detail
