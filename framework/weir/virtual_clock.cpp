#include <weir/virtual_clock.hpp>

#include <algorithm>

namespace weir {

void virtual_clock::start(timer& t, std::chrono::nanoseconds delay) {
  instant const wait = std::max<instant>(delay.count(), 0);
  queue_.start(t, wait > end_of_time - now_ ? end_of_time : now_ + wait);
}

bool virtual_clock::advance_to_next() {
  if (queue_.empty()) return false;
  now_ = std::max(now_, queue_.first_due());
  if (timer* const t = queue_.pop_due(now_)) t->fire();
  return true;
}

void virtual_clock::advance(std::chrono::nanoseconds d) {
  instant const target = now_ + d.count();
  while (!queue_.empty() && queue_.first_due() <= target) (void)advance_to_next();
  now_ = target;
}

}  // namespace weir
