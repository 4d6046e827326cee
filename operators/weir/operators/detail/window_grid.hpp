#pragma once
#include <weir/instant.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/time_window.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weir::detail {

// How a stage keeps windows; the state of one is not that of another.
enum class window_state : std::uint8_t { one_result, several_results, slices };

// Where windows lie that are aligned to the epoch: [k * slide + offset, k * slide + offset + size).
class window_grid {
public:
  window_grid(std::chrono::nanoseconds size, std::chrono::nanoseconds slide) noexcept : size_(size.count()), slide_(slide.count()) {}
  // `by`: 0 up to the slide; throws `errc::invalid_option`.
  void move_by(std::chrono::nanoseconds by);

  instant size() const noexcept { return size_; }
  instant slide() const noexcept { return slide_; }
  instant offset() const noexcept { return offset_; }
  bool tumbles() const noexcept { return size_ == slide_; }
  // The last time that is not after t and a multiple of `step` away from the windows' alignment.
  instant last_multiple(instant t, instant step) const noexcept { return floor_to(t - offset_, std::chrono::nanoseconds(step)) + offset_; }
  // The last window that contains t, and the first.
  instant last_start(instant t) const noexcept { return last_multiple(t, slide_); }
  instant first_start(instant t) const noexcept { return last_start(t - size_) + slide_; }
  // Windows that elements can be in start there.
  bool is_start(instant s) const noexcept { return could_start(s) && last_start(s) == s; }
  static bool could_start(instant s) noexcept {
    return s >= earliest_event - longest_span.count() && s <= latest_event + 2 * longest_span.count();
  }
  time_window window(instant start) const noexcept { return time_window(start, start + size_); }
  // The largest width of slices that windows can be put together from.
  instant slice_width() const noexcept;

  // What it adds to the schema of a stage.
  std::string schema(window_state kept) const;
  // In a checkpoint, before the windows themselves. Throws `errc::incompatible` for windows that lie elsewhere or are kept otherwise.
  void save(window_state kept, std::vector<std::byte>& to) const;
  void check_saved(window_state kept, std::span<std::byte const>& from) const;

private:
  instant size_, slide_, offset_ = 0;
};

}  // namespace weir::detail
