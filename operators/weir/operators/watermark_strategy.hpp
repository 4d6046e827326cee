#pragma once
#include <weir/instant.hpp>
#include <weir/operators/detail/time_limits.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <utility>

namespace weir {

/// Event times rise. The watermark is the highest time seen less 1 ns, as another event of the same time may follow; an element that
/// goes back behind the highest is judged by the windows' late policy like any other. The same as `bounded_disorder(0s)`.
class monotonic {
public:
  constexpr instant watermark(instant highest) const noexcept { return highest - 1; }
};

/// An event comes at most `most` of event time behind the highest one seen. The watermark is highest - `most` - 1 ns.
/// Source: `BoundedOutOfOrdernessWatermarks` of Flink; the convention is the design's.
class bounded_disorder {
public:
  /// `most`: 0 to 20 years. Throws `errc::invalid_option`.
  explicit bounded_disorder(std::chrono::nanoseconds most) : most_(most) {
    detail::check_span("bounded_disorder", "its bound", most, detail::span_from::zero);
  }
  constexpr instant watermark(instant highest) const noexcept { return highest - most_.count() - 1; }

private:
  std::chrono::nanoseconds most_;
};

/// The stream says itself how far it is: `says(element)` is the watermark behind that element, as a `std::optional` of an `instant` or of a
/// time of the system clock; nothing for elements that say nothing. A watermark has no effect when it goes back, or when it is further
/// ahead than `event_time`'s `max_step` from the highest event time: one wrong record closes nothing. It does not advance while the stream
/// is quiet.
template <class F> class punctuated {
public:
  explicit punctuated(F says) : says_(std::move(says)) {}
  template <class T> std::optional<instant> watermark_behind(T const& x) {
    auto const said = std::invoke(says_, x);
    if (!said) return std::nullopt;
    if constexpr (std::convertible_to<decltype(*said), instant>) return static_cast<instant>(*said);
    else return to_instant(*said);
  }

private:
  [[no_unique_address]] F says_;
};

namespace detail {
template <class S> inline constexpr bool is_punctuated = false;
template <class F> inline constexpr bool is_punctuated<weir::punctuated<F>> = true;

template <class S>
concept watermark_strategy = is_punctuated<S> || requires(S const& s, instant t) {
  { s.watermark(t) } -> std::same_as<instant>;
};
}  // namespace detail

}  // namespace weir
