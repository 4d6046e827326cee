#pragma once
#include <coroutine>

// Hybrid symmetric transfer. Every resumption of one coroutine by another goes through transfer(): a plain symmetric
// transfer, but every 512th hop hands the coroutine back to the driver loop. g++ does not turn a transfer into a tail call at
// -O0, -Og and -O1 nor under ASan and TSan; with this the stack stays bounded in every build, for 0.2 to 0.4 ns a hop.
namespace weir::detail {

struct hops {
  static constexpr int limit = 512;
  static inline constinit thread_local int left = limit;
  static inline constinit thread_local void* parked = nullptr;
};

inline std::coroutine_handle<> transfer(std::coroutine_handle<> to) noexcept {
  if (--hops::left > 0) [[likely]]
    return to;
  hops::parked = to.address();
  return std::noop_coroutine();
}

/// Entry from outside the coroutine world (an Asio completion, a timer, main). May nest: an inner drive leaves the outer one
/// as it found it.
inline void drive(std::coroutine_handle<> next) {
  int const left = hops::left;
  void* const parked = hops::parked;
  while (next) {
    hops::left = hops::limit;
    hops::parked = nullptr;
    next.resume();
    next = hops::parked ? std::coroutine_handle<>::from_address(hops::parked) : nullptr;
  }
  hops::left = left;
  hops::parked = parked;
}

}  // namespace weir::detail
