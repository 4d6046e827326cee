#pragma once
#include <weir/instant.hpp>
#include <weir/operators/detail/aligned_window_stage.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/sliced_window_stage.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/window_shape.hpp>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

namespace weir::detail {

// Windows of one size that start at multiples of one distance.
class tumbling_windows : public window_grid {
public:
  tumbling_windows(std::string_view who, std::chrono::nanoseconds size, std::chrono::nanoseconds slide) : window_grid(size, slide) {
    check_windows(who, size, slide);
  }
  template <class K, class T, class Key, class Fold, class Late, class Emission>
  auto stage(Key key, Fold fold, Late late, Emission emission, naming const& n) const {
    return aligned_window_stage<K, T, Key, Fold, Late, Emission>(*this, std::move(key), std::move(fold), std::move(late),
                                                                 std::move(emission), n);
  }
};

class sliding_windows : public window_grid {
public:
  sliding_windows(std::string_view who, std::chrono::nanoseconds size, std::chrono::nanoseconds slide) : window_grid(size, slide) {
    check_windows(who, size, slide);
  }
  template <class K, class T, class Key, class Fold, class Late, class Emission>
  auto stage(Key key, Fold fold, Late late, Emission emission, naming const& n) const {
    if constexpr (Emission::kind == emission_kind::final && !Late::updates)
      return sliced_window_stage<K, T, Key, Fold, Late>(*this, std::move(key), std::move(fold), std::move(late), n);
    else
      return aligned_window_stage<K, T, Key, Fold, Late, Emission>(*this, std::move(key), std::move(fold), std::move(late),
                                                                   std::move(emission), n);
  }
};

template <class Windows, class Late, class Emission> class aligned_window_description : public window_description<Windows, Late, Emission> {
public:
  using window_description<Windows, Late, Emission>::window_description;
  /// Moves all windows: they start at multiples of the slide plus `by`.
  aligned_window_description&& offset(std::chrono::nanoseconds by) && {
    this->windows_.move_by(by);
    return std::move(*this);
  }
};

}  // namespace weir::detail
