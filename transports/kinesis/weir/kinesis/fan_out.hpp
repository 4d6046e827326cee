#pragma once
#include <cstdint>

namespace weir::kinesis {

/// What is done where enhanced fan-out was asked for, and cannot be had: access is denied, the service or a proxy does not know it or
/// HTTP/2, or the stream has as many consumers as it may have.
enum class without_fan_out : std::uint8_t {
  fail,  ///< the shards fail, and say what to do
  poll,  ///< the stream is polled, together with all who do; that is logged as an error
};

}  // namespace weir::kinesis
