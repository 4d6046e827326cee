#pragma once
#include <weir/operators/emit.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <type_traits>
#include <utility>

namespace weir {

/// Elements in time windows, before anything is said about what becomes of them; what the window operators make. `Windows` says which
/// windows, `Late` and `Emission` are the policies.
template <class Base, class Windows, class Late, class Emission> struct windowed : Base {
  static constexpr bool has_window = true;
  windowed(Base b, Windows w, Late l, Emission e) : Base(std::move(b)), windows(std::move(w)), late(std::move(l)), emission(std::move(e)) {}
  Windows windows;
  Late late;
  Emission emission;
};

namespace detail {

// What stands behind `| tumbling_window(...)` and its like: it only extends the shape; the operator behind it is the stage.
template <class Windows, class Late, class Emission> class window_description {
public:
  using operator_tag = void;
  window_description(Windows w, Late l, Emission e) : windows_(std::move(w)), late_(std::move(l)), emission_(std::move(e)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    static_assert(shape::has_time, "weir: a window in time needs event time; put event_time(...) before it");
    static_assert(!shape::has_window, "weir: these elements are in windows already; put aggregate(...) between two windows");
    if constexpr (!shape::has_time || shape::has_window) {
      return rejected();
    } else {
      windowed<shape, Windows, Late, Emission> in_windows(c.shape(), std::move(windows_), std::move(late_), std::move(emission_));
      return std::forward<Chain>(c).with(std::move(in_windows));
    }
  }

protected:
  Windows windows_;
  Late late_;
  Emission emission_;
};

// The key of a shape: what key_by said, or that there is one key for all.
struct no_key_of {
  template <class T> constexpr no_key operator()(T const&) const noexcept { return {}; }
};
template <class Shape> auto key_function_of(Shape const& s) {
  if constexpr (Shape::has_key) return s.key;
  else return no_key_of();
}

}  // namespace detail
}  // namespace weir
