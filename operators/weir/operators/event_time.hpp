#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/event_time_stage.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/required_argument.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/time_fault.hpp>
#include <weir/operators/watermark_strategy.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class Extract, class Strategy, class BadTimes>
class event_time_description : public named_operator<event_time_description<Extract, Strategy, BadTimes>> {
public:
  using operator_tag = void;
  event_time_description(Extract e, Strategy s, BadTimes b, event_time_rules rules, naming n)
      : named_operator<event_time_description>(std::move(n)),
        extract_(std::move(e)),
        strategy_(std::move(s)),
        bad_times_(std::move(b)),
        rules_(std::move(rules)) {}

  event_time_description&& partition(std::string name) && {
    rules_.partition = std::move(name);
    return std::move(*this);
  }
  event_time_description&& idle_after(std::chrono::nanoseconds quiet) && {
    check_span("event_time", "idle_after", quiet, span_from::zero);
    rules_.idle_after = quiet;
    return std::move(*this);
  }
  event_time_description&& when_quiet(quiet_time q) && {
    rules_.when_quiet = q;
    return std::move(*this);
  }
  event_time_description&& max_ahead(std::chrono::nanoseconds of_clock) && {
    check_span("event_time", "max_ahead", of_clock, span_from::zero);
    rules_.max_ahead = of_clock;
    return std::move(*this);
  }
  event_time_description&& max_step(std::chrono::nanoseconds step) && {
    check_span("event_time", "max_step", step, span_from::one);
    rules_.max_step = step;
    return std::move(*this);
  }
  template <class F> auto bad_times_to(F f) && {
    return event_time_description<Extract, Strategy, give_bad_times<F>>(
        std::move(extract_), std::move(strategy_), give_bad_times<F>(std::move(f)), std::move(rules_), std::move(this->naming_));
  }

  template <class Chain> auto append(Chain&& c) && {
    using element = typename std::remove_cvref_t<Chain>::shape_type::element;
    static_assert(gives_time<Extract, element>,
                  "weir: event_time's function must take this element, by const reference, and return its time: a weir::instant, a time of "
                  "the system clock (std::chrono::sys_time), or a std::optional of one");
    static_assert(watermark_strategy<Strategy>, "weir: event_time needs a strategy: monotonic(), bounded_disorder(5s), punctuated(f)");
    if constexpr (!gives_time<Extract, element> || !watermark_strategy<Strategy>) return rejected();
    else
      return std::forward<Chain>(c).with(
          timed<element>(), event_time_stage<Extract, Strategy, BadTimes>(std::move(extract_), std::move(strategy_), std::move(bad_times_),
                                                                          std::move(rules_), this->naming_));
  }

private:
  Extract extract_;
  Strategy strategy_;
  BadTimes bad_times_;
  event_time_rules rules_;
};

}  // namespace detail

/// Gives every element its event time, and the stream its watermarks. From here on it is timed: operators on time accept nothing else.
///
/// `extract(element)` is a pointer to a member or a function that returns the time: an `instant` (nanoseconds since the epoch, UTC; before
/// 1970 it is negative), a `sys_time` of any resolution, or a `std::optional` of one. `strategy` says what the times mean for those to
/// come: `monotonic()`, `bounded_disorder(5s)`, `punctuated(f)`. A watermark follows the element that raised it, so results do not depend
/// on how the source cuts its chunks.
///
/// What cannot be placed in time (`time_fault`: no time; outside the years 1777 to 2162, as is whatever does not fit into an `instant`, and
/// NaN; too far ahead of the clock) fails the stream, unless it is given away. Options, each returning the operator:
/// - `.bad_times_to(f)`: such elements go to `f(element, time_fault)` (or `f(element)`), are counted as dead, and are done.
/// - `.max_ahead(24h)`: a time further ahead of the context's clock is a fault (default 24 hours; 0 to 20 years).
/// - `.max_step(24h)`: an element further ahead of the highest time so far is passed on but not believed: the watermark follows only when
///   the next element is as far ahead, and then to the lower of the two. So one record a year ahead closes nothing, and after a true gap
///   nothing is lost (default 24 hours; 1 ns to 20 years). The first element of all is believed.
/// - `.when_quiet(quiet_time::passes)` (default): while a live source says that it has nothing to read (`mark::idle`), event time passes
///   like the clock from the newest element on, so that windows close without new input; `quiet_time::stands` leaves it. Replays have no
///   quiet times.
/// - `.idle_after(10s)`: quiet for so long it no longer holds others where it is merged (default 10 s; 0 to 20 years). A source that has
///   data nobody takes is back-pressured, not quiet.
/// - `.partition(name)`: its name in explanations and errors. `.counted_in(books, account)`: where dead elements are counted.
///
/// - Emits when: an element came.   Backpressures when: downstream does.
/// - Completes when: upstream completes; when its data has ended, the watermark goes to `end_of_time` and all windows fire. A stream that
///   was stopped (drain, lost lease) fires nothing: what is open is in the checkpoint.
/// - Fails when: upstream, `extract`, `strategy` or `f` fails, or a time is at fault; what came before is delivered.
/// - Cancelled: at the next chunk.
/// State: 80 bytes per stream, checkpointed: highest time, watermark, what it has counted.
/// Errors: `errc::invalid_option` when built; `errc::out_of_range` for a time at fault; `errc::corrupt` when restored from something else.
/// Source: watermarks as in the Dataflow model (Akidau et al., VLDB 2015), section 2.3; quiet times as Bytewax's event clock.
template <class Extract, class Strategy = detail::left_out> auto event_time(Extract extract, Strategy strategy = Strategy()) {
  return detail::event_time_description<Extract, Strategy, detail::refuse_bad_times>(
      std::move(extract), std::move(strategy), detail::refuse_bad_times(), detail::event_time_rules(), detail::naming());
}

}  // namespace weir
