#pragma once
#include <weir/operators/detail/generator_operator.hpp>
#include <weir/operators/detail/heart.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

class heartbeat_description {
public:
  using operator_tag = void;
  explicit heartbeat_description(std::chrono::nanoseconds every);
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    static_assert(!shape::has_time, "weir: heartbeat tells event_time that a source is quiet; put it before event_time(...)");
    if constexpr (shape::has_time) return rejected();
    else return generator_operator<open_heartbeat, same_elements>(open_heartbeat(every_)).append(std::forward<Chain>(c));
  }

private:
  class open_heartbeat {
  public:
    explicit open_heartbeat(std::chrono::nanoseconds every) noexcept : every_(every) {}
    template <class T> stream<T> operator()(stream<T> in) && { return emit_with_heartbeat<T>(std::move(in), every_); }

  private:
    std::chrono::nanoseconds every_;
  };
  std::chrono::nanoseconds every_;
};

}  // namespace detail

/// Says that a source is quiet, for sources that do not say it themselves: after each `every` in which it was asked and gave nothing an
/// idle mark follows, with its quiet time so far. Put it before `event_time`, whose clock then goes on without elements.
///
/// Only time in which the consumer waits counts: while that one is busy the source is back-pressured, not quiet. The quiet time starts anew
/// with each element; checkpoints leave it as it is, and an idle mark of the source's own replaces it. Elements, times and keys pass as
/// they are, in their chunks, and marks keep their place. No timer runs while chunks come at once.
/// - Emits when: upstream does; a mark when it has been silent for `every`.   Backpressures when: downstream does; one chunk then waits
/// here.
/// - Completes when: upstream completes.   Fails when: upstream fails.   Cancelled: the pull under way is cancelled and joined, then
///   `errc::cancelled` is thrown. Dropped half-way: the same, joined by the run.
/// State: none.   `every`: 1 ns to 20 years, by the context's clock; a poll's distance, well below `idle_after` and the windows' size.
/// Errors: `errc::invalid_option` when built.   Source: heartbeats, Srivastava and Widom, "Flexible Time Management in Data Stream
/// Systems", PODS 2004.
inline auto heartbeat(std::chrono::nanoseconds every) { return detail::heartbeat_description(every); }

}  // namespace weir
