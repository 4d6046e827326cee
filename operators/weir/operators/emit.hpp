#pragma once
#include <weir/operators/detail/time_limits.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>

namespace weir {

namespace detail {
enum class emission_kind : std::uint8_t { final, early, on_each };
}

/// When a window gives results.
namespace emit {

/// Once per key, when the watermark passes the window's end. The default.
class final {
public:
  static constexpr detail::emission_kind kind = detail::emission_kind::final;
};

/// Also before that: each time the watermark passes a multiple of `every` (event time; from the window's alignment on), the keys that have
/// changed since their last result give an early one. For displays.
class early {
public:
  static constexpr detail::emission_kind kind = detail::emission_kind::early;
  /// `every`: 1 ns to 20 years.
  explicit early(std::chrono::nanoseconds every) : every_(every) {
    detail::check_span("emit::early", "its period", every, detail::span_from::one);
  }
  std::chrono::nanoseconds every() const noexcept { return every_; }

private:
  std::chrono::nanoseconds every_;
};

/// Also after every element, for its key and each of its windows.
class on_each {
public:
  static constexpr detail::emission_kind kind = detail::emission_kind::on_each;
};

}  // namespace emit

namespace detail {
template <class E>
concept emission = requires {
  { E::kind } -> std::convertible_to<emission_kind>;
};
}  // namespace detail

}  // namespace weir
