#pragma once
#include <weir/error.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/time_window.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace weir {

/// What is known about an element that came too late for a window.
struct lateness {
  constexpr lateness(instant t, time_window w, instant mark) noexcept : time(t), window(w), watermark(mark) {}
  instant time;        ///< the element's event time
  time_window window;  ///< the one that had closed
  instant watermark;   ///< where the operator was
};

/// What happens to an element whose window has fired. There is no default: whoever opens a window says it. A late element is judged per
/// window it belongs to; every outcome is counted (`ledger`), and nothing late is ever folded into another window.
namespace late {

/// It is dropped, and counted.
class drop {
public:
  static constexpr bool updates = false;
  constexpr drop() noexcept = default;
  static constexpr std::chrono::nanoseconds allowed() noexcept { return std::chrono::nanoseconds(0); }
  template <class T> void take(T&, lateness const&) const noexcept {}
};

/// It is given to `f`, once per window it missed: `f(element, lateness)`, or `f(element)`. `f` may take it by const reference, or by
/// reference and move from it: where windows overlap, and the element may be in others, that one is a copy. A `f` that throws fails the
/// stream, with the element unacknowledged. When `f` has returned, the element is done: what `f` only puts into memory for the handler to
/// write later is lost in a crash, as the checkpoint does not wait for it.
template <class F> class side_output {
public:
  static constexpr bool updates = false;
  explicit side_output(F f) : f_(std::move(f)) {}
  static constexpr std::chrono::nanoseconds allowed() noexcept { return std::chrono::nanoseconds(0); }
  /// For operators: `x` is const where it is needed afterwards.
  template <class T> void take(T& x, lateness const& l) {
    using element = std::remove_const_t<T>;
    constexpr bool copied = !takes<T> && takes<element>;
    static_assert(takes<T> || takes<element>,
                  "weir: late::side_output's function is called with the element, or the element and a weir::lateness");
    static_assert(!copied || std::copy_constructible<element>,
                  "weir: where windows overlap, late::side_output's function takes elements that cannot be copied by const reference");
    if constexpr (takes<T>) {
      give(x, l);
    } else if constexpr (copied && std::copy_constructible<element>) {
      element copy(x);
      give(copy, l);
    }
  }

private:
  template <class T> static constexpr bool takes = std::invocable<F&, T&, lateness const&> || std::invocable<F&, T&>;
  template <class T> void give(T& x, lateness const& l) {
    if constexpr (std::invocable<F&, T&, lateness const&>) std::invoke(f_, x, l);
    else std::invoke(f_, x);
  }
  [[no_unique_address]] F f_;
};

/// It is folded into its window all the same, which fires again at once, with the next revision. A window keeps its state for
/// `allowed_lateness` (0 to 20 years of event time) behind its end; what is later still goes to `beyond`.
template <class Beyond = drop> class update {
public:
  static constexpr bool updates = true;
  explicit update(std::chrono::nanoseconds allowed_lateness, Beyond beyond = Beyond())
      : allowed_(allowed_lateness), beyond_(std::move(beyond)) {
    static_assert(!Beyond::updates, "weir: what is beyond the allowed lateness can only be dropped or given to a side output");
    detail::check_span("late::update", "the allowed lateness", allowed_, detail::span_from::zero);
  }
  std::chrono::nanoseconds allowed() const noexcept { return allowed_; }
  template <class T> void take(T& x, lateness const& l) { beyond_.take(x, l); }

private:
  std::chrono::nanoseconds allowed_;
  [[no_unique_address]] Beyond beyond_;
};
update(std::chrono::nanoseconds) -> update<drop>;

}  // namespace late

namespace detail {
template <class L>
concept late_policy = requires(L l) {
  { L::updates } -> std::convertible_to<bool>;
  { l.allowed() } -> std::same_as<std::chrono::nanoseconds>;
};
}  // namespace detail

}  // namespace weir
