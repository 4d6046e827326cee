#include <weir/file/replay_schedule.hpp>

namespace weir::file {

instant replay_schedule::due(instant time, instant now) noexcept {
  if (!start_) start_ = start{.time = time, .now = now};
  instant gap = 0, due_at = 0;
  if (!__builtin_sub_overflow(time, start_->time, &gap)) {  // times come from data and may be anything
    if (speed_ == 1 && !__builtin_add_overflow(start_->now, gap, &due_at)) return due_at;
    double const scaled = static_cast<double>(gap) / speed_;  // to some nanoseconds in a year
    constexpr double most = 9.2e18;
    if (scaled > -most && scaled < most && !__builtin_add_overflow(start_->now, static_cast<instant>(scaled), &due_at)) return due_at;
  }
  return time > start_->time ? end_of_time : start_of_time;
}

}  // namespace weir::file
