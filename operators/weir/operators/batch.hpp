#pragma once
#include <weir/operators/batch_options.hpp>
#include <weir/operators/detail/batch_stage.hpp>
#include <weir/operators/detail/generator_operator.hpp>
#include <weir/operators/detail/timed_batches.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

template <class Size, class T>
concept measures = requires(Size& size, T const& x) {
  { std::invoke(size, x) } -> std::convertible_to<std::uint64_t>;
};

template <class Size> class fused_batch_description {
public:
  using operator_tag = void;
  explicit fused_batch_description(batch_options<Size> o) : options_(std::move(o)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    using time = std::conditional_t<shape::has_time, timestamp, untimed>;
    static_assert(measures<Size, element>,
                  "weir: batch's size function must take this element, by const reference, and return a number of bytes");
    if constexpr (!measures<Size, element>) return rejected();
    else return std::forward<Chain>(c).with(same_time<shape, std::vector<element>>(), batch_stage<element, Size, time>(options_));
  }

private:
  batch_options<Size> options_;
};

template <class Size> class open_timed_batches {
public:
  explicit open_timed_batches(batch_options<Size, std::chrono::nanoseconds> o) : options_(std::move(o)) {}
  template <class T> auto operator()(stream<T> in) && {
    static_assert(measures<Size, T>,
                  "weir: batch's size function must take this element, by const reference, and return a number of bytes");
    if constexpr (!measures<Size, T>) return rejected();
    else return emit_timed_batches<T, Size>(std::move(in), std::move(options_));
  }

private:
  batch_options<Size, std::chrono::nanoseconds> options_;
};

}  // namespace detail

/// Groups consecutive elements into `std::vector`s, each closed by whichever limit it reaches first: elements, bytes, or time since its
/// first element came; or by a checkpoint.
///
/// Nothing is dropped or reordered; costs a move per element and an allocation per batch. On a timed stream a batch has the latest event
/// time in it. The key is dropped. Without a time limit it is a stage, and the frontier knows what is in a batch; with one it reads ahead
/// of its consumer, by one batch, and only barriers tell. No timer is started for a batch that fills from what is there. Watermarks that
/// arrive while a batch is open follow it; a barrier closes it, so that nothing from behind a checkpoint leaves in front of it.
/// - Emits when: `count` elements are there, their sizes reach `bytes`, `time` has passed, a barrier came, or the data ended.
/// - Backpressures when: downstream does; with a time limit, when it has not taken the last batch.
/// - Completes when: upstream completes; a stream that was stopped (drain, lost lease) does not emit the open batch, its elements come
/// again.
/// - Fails when: upstream fails, after the batches closed before; the open one is not emitted. When the size function throws.
/// - Cancelled: at once; what is open stays unacknowledged. Dropped half-way: the pull under way is cancelled and joined by the run.
/// State: none; what is open is held unacknowledged.   At least one limit; `count` >= 1, `bytes` >= 1, `time` > 0.
/// Errors: `errc::invalid_option` when built.   Source: `groupedWithin` of Pekko streams.
template <class Size> auto batch(batch_options<Size> options) {
  detail::check_limited(options.max_count() != options.unlimited || options.max_bytes() != options.unlimited_bytes);
  return detail::fused_batch_description<Size>(std::move(options));
}
template <class Size> auto batch(batch_options<Size, std::chrono::nanoseconds> options) {
  using open = detail::open_timed_batches<Size>;
  return detail::generator_operator<open, detail::other_elements>(open(std::move(options)));
}
/// Batches of `count` elements.
inline auto batch(std::size_t count) { return batch(batch_options().count(count)); }

}  // namespace weir
