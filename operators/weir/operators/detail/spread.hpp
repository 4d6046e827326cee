#pragma once
#include <cstdint>

namespace weir::detail {

// Makes a hash of any quality (`std::hash` of an integer is the integer) one whose upper bits depend on all of it. Different ones stay
// different. Source: Fibonacci hashing, D. Knuth, The Art of Computer Programming 3, section 6.4.
constexpr std::uint64_t spread(std::uint64_t hash) noexcept { return (hash ^ (hash >> 32)) * 0x9e37'79b9'7f4a'7c15; }

}  // namespace weir::detail
