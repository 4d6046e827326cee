#pragma once
#include <weir/error.hpp>
#include <weir/operators/detail/time_limits.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>

namespace weir {
namespace detail {

enum class trigger_kind : std::uint8_t { count, every, on_each };
enum class accumulation : std::uint8_t { accumulating, discarding };

// What all triggers can say about their results.
template <class Self> class trigger_base {
public:
  using trigger_tag = void;
  /// Each result is about all elements of the window, and replaces the one before. The default.
  Self accumulating() const { return with(accumulation::accumulating); }
  /// Each result is about the elements since the one before.
  Self discarding() const { return with(accumulation::discarding); }
  bool discards() const noexcept { return accumulation_ == accumulation::discarding; }

private:
  Self with(accumulation a) const {
    Self out = static_cast<Self const&>(*this);
    static_cast<trigger_base&>(out).accumulation_ = a;
    return out;
  }
  accumulation accumulation_ = accumulation::accumulating;
};

}  // namespace detail

/// When a window over all time gives results (`global_window`).
///
/// Each is `.accumulating()`, by default, or `.discarding()`: what a result is about. Accumulating is what a row per key wants that is
/// replaced by each result: `window_result` says that a result replaces those of the same key and window with lower revisions. Discarding
/// is for parts that somebody else adds up: there a row is identified by its revision too. Source: the Dataflow model (Akidau et al., VLDB
/// 2015), section 2.3.
namespace trigger {

/// After every `elements` elements of the key since its last result. They count as they come, whatever their times.
class count : public detail::trigger_base<count> {
public:
  static constexpr detail::trigger_kind kind = detail::trigger_kind::count;
  /// `elements`: 1 and more. Throws `errc::invalid_option`.
  explicit count(std::uint64_t elements) : elements_(elements) {
    if (elements == 0) throw error(errc::invalid_option, "trigger::count: cannot be built", "it is 0 elements", "give 1 or more");
  }
  std::uint64_t elements() const noexcept { return elements_; }

private:
  std::uint64_t elements_;
};

/// Each time the watermark passes a multiple of `period` since the epoch, for the keys that have changed since their last result, in
/// first-seen order. Passing several at once counts as one.
class every : public detail::trigger_base<every> {
public:
  static constexpr detail::trigger_kind kind = detail::trigger_kind::every;
  /// `period`: 1 ns to 20 years of event time. Throws `errc::invalid_option`.
  explicit every(std::chrono::nanoseconds period) : period_(period) {
    detail::check_span("trigger::every", "its period", period, detail::span_from::one);
  }
  std::chrono::nanoseconds period() const noexcept { return period_; }

private:
  std::chrono::nanoseconds period_;
};

/// After each element.
class on_each : public detail::trigger_base<on_each> {
public:
  static constexpr detail::trigger_kind kind = detail::trigger_kind::on_each;
};

}  // namespace trigger

namespace detail {
template <class T>
concept window_trigger = requires {
  typename T::trigger_tag;
  { T::kind } -> std::convertible_to<trigger_kind>;
};
}  // namespace detail

}  // namespace weir
