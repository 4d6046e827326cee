#pragma once
#include <weir/position.hpp>

#include <cstdint>

namespace weir::kinesis {

/// Where the frontier of a shard stands when it takes no more records and all that it had are done: behind every record. It is committed
/// like the position of a record, also of a shard that never had one, and KCL calls it SHARD_END.
inline constexpr position shard_end(~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, (std::uint64_t{1} << 61) - 1);

}  // namespace weir::kinesis
