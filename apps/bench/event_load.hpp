#pragma once
#include <weir/instant.hpp>
#include <weir/stream.hpp>

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

/// What happens in these loads, or who it happens to, and when: 16 bytes.
struct event {
  std::uint64_t id;
  std::int64_t ms;  ///< event time, milliseconds since the epoch
};
inline constexpr auto time_of_event = [](auto const& e) -> weir::instant { return e.ms * 1'000'000; };

/// Midnight, so that a day of a load is a day of the calendar.
inline constexpr std::int64_t load_start = 1'700'006'400'000;

/// Bytes that malloc has given out, in pieces as large as it makes them. What was taken between two looks and not given back is kept.
inline std::size_t heap_in_use() noexcept {
  auto const now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// A load in chunks where it lies, as the loops by hand read it: no stage here changes an element. `at_end`: what is in use behind the last
/// one.
template <class T> weir::stream<T> in_chunks(std::span<T> all, std::size_t* at_end = nullptr, std::size_t size = 256) {
  for (std::size_t i = 0; i < all.size(); i += size) co_yield all.subspan(i, std::min(size, all.size() - i));
  if (at_end) *at_end = heap_in_use();
}

}  // namespace bench
