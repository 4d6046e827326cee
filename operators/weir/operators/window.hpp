#pragma once
#include <weir/codec.hpp>
#include <weir/error.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/count_window_stage.hpp>
#include <weir/operators/detail/kept_window_stage.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

class named_count_window {
public:
  using operator_tag = void;
  named_count_window(std::size_t n, std::string id) : n_(n), id_(std::move(id)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    using time = std::conditional_t<shape::has_time, timestamp, untimed>;
    static_assert(
        encodable<element>,
        "weir: a window with a name keeps its elements in checkpoints, so their type needs a codec: make it trivially copyable, a "
        "standard container of such, a simple struct of such, or specialise weir::codec for it");
    if constexpr (!encodable<element>) return rejected();
    else return std::forward<Chain>(c).with(same_time<shape, std::vector<element>>(), kept_window_stage<element, time>(id_, n_));
  }

private:
  std::size_t n_;
  std::string id_;
};

class count_window_description {
public:
  using operator_tag = void;
  explicit count_window_description(std::size_t n);
  named_count_window named(std::string id) && { return named_count_window(n_, std::move(id)); }
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    using time = std::conditional_t<shape::has_time, timestamp, untimed>;
    return std::forward<Chain>(c).with(same_time<shape, std::vector<element>>(), count_window_stage<element, time>(n_));
  }

private:
  std::size_t n_;
};

}  // namespace detail

/// Groups each `n` consecutive elements into a `std::vector`, in order; the last may be smaller.
///
/// Lazy: a window is emitted with the element that completes it and costs one allocation. On a timed stream it has the latest event time in
/// it. The key is dropped.
/// Watermarks and idle marks that arrive while a window is open follow it.
///
/// `window(n).named("threes")` keeps what is open in checkpoints, so that windows go on over a restart as if nothing had happened; its
/// elements need a codec. Without a name, barriers follow the window as well (while a failure policy looks for the record that fails, they
/// close it): a checkpoint waits for the window around it, and after a restart windows begin anew behind the checkpoint. The elements
/// between it and the end of that window come a second time, in other company, and nothing is lost; rows that are to be there once
/// cannot come of that (`errc::misuse` of the sink, see `named_sink`).
/// - Emits when: the n-th element came, or the data ended.   Backpressures when: downstream does.
/// - Completes when: upstream completes; a stream that was stopped (drain, lost lease) emits no partial window, its elements come again.
/// - Fails when: upstream fails; an open window is not emitted.   Cancelled: at the next chunk.
/// State: with a name, up to `n` - 1 elements, checkpointed; without, none, and as many are held unacknowledged.   `n` >= 1 elements.
/// Errors: `errc::invalid_option` when built; `errc::incompatible` when restored from elements of another schema (`schema_of`), or with a
/// smaller `n` when so many are open. Source: `std::views::chunk`, [range.chunk].
inline auto window(std::size_t n) { return detail::count_window_description(n); }

}  // namespace weir
