#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace weir {

namespace detail {
// What a batch without a limit in bytes, or in time, has in its place.
struct no_size {
  template <class T> std::uint64_t operator()(T const&) const noexcept { return 0; }
};
struct no_time {};

std::size_t checked_count(std::size_t n);
std::uint64_t checked_bytes(std::uint64_t n);
std::chrono::nanoseconds checked_time(std::chrono::nanoseconds d);
void check_limited(bool limited);
}  // namespace detail

/// When `batch` closes a batch: `batch_options().count(500).bytes(1 << 20, size_of).time(200ms)`, whichever comes first. At least one
/// of them must be given. Setters return changed options (of another type, as `size` and the need for a clock are part of it); values out
/// of range throw `errc::invalid_option`.
template <class Size = detail::no_size, class Time = detail::no_time> class batch_options {
public:
  batch_options() = default;
  batch_options(std::size_t elements, std::uint64_t sum, Size measure, Time limit)
      : count_(elements), bytes_(sum), size_(std::move(measure)), time_(limit) {}

  /// At most so many elements, >= 1.
  [[nodiscard]] auto count(std::size_t n) const { return batch_options(detail::checked_count(n), bytes_, size_, time_); }
  /// Closed by the element with which the sum of `measure(element)` reaches `n` >= 1.
  template <class NewSize> [[nodiscard]] auto bytes(std::uint64_t n, NewSize measure) const {
    return batch_options<NewSize, Time>(count_, detail::checked_bytes(n), std::move(measure), time_);
  }
  /// Not longer than `d` > 0 after its first element came, on the context's clock.
  [[nodiscard]] auto time(std::chrono::nanoseconds d) const {
    return batch_options<Size, std::chrono::nanoseconds>(count_, bytes_, size_, detail::checked_time(d));
  }

  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  static constexpr std::uint64_t unlimited_bytes = std::numeric_limits<std::uint64_t>::max();
  std::size_t max_count() const noexcept { return count_; }
  std::uint64_t max_bytes() const noexcept { return bytes_; }
  Size const& size() const noexcept { return size_; }
  Time const& max_time() const noexcept { return time_; }

private:
  std::size_t count_ = unlimited;
  std::uint64_t bytes_ = unlimited_bytes;
  [[no_unique_address]] Size size_{};
  [[no_unique_address]] Time time_{};
};

}  // namespace weir
