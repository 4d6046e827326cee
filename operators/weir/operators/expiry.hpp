#pragma once
#include <weir/instant.hpp>
#include <weir/operators/detail/time_limits.hpp>

#include <chrono>
#include <concepts>

namespace weir {

/// A key that nothing has touched for `span` of event time is forgotten: when the watermark reaches the latest time at which an element
/// or a timer touched it, plus `span`, its state and its timers are gone. An element that comes for it later finds a fresh state.
///
/// Timers at that very time fire first, and keep the key. So a timer needs a `span` that is at least as long as it waits.
/// `span`: 1 ns to 20 years. Errors: `errc::invalid_option`.
class expire_after {
public:
  explicit expire_after(std::chrono::nanoseconds span) : span_(span) {
    detail::check_span("expire_after", "its span", span, detail::span_from::one);
  }
  static constexpr bool expires = true;
  constexpr instant expiry_of(instant touched) const noexcept { return detail::later_by(touched, span_); }

private:
  std::chrono::nanoseconds span_;
};

/// Keys are kept for as long as the pipeline runs: memory and checkpoints grow with their number, unless the function forgets them
/// itself (`process_context::forget`). For keys that are few, or that are forgotten for certain.
class never_expires {
public:
  static constexpr bool expires = false;
  static constexpr instant expiry_of(instant) noexcept { return end_of_time; }
};

namespace detail {
template <class E>
concept expiry = requires(E const& e, instant t) {
  { E::expires } -> std::convertible_to<bool>;
  { e.expiry_of(t) } -> std::same_as<instant>;
};
}  // namespace detail

}  // namespace weir
