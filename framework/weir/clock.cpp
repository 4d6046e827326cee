#include <weir/clock.hpp>

#include <utility>

namespace weir {

timer::~timer() {
  if (queue_) queue_->stop(*this);
}

timer_queue::~timer_queue() {
  for (timer* const t : heap_) t->queue_ = nullptr;
}

void timer_queue::start(timer& t, std::int64_t due) {
  if (t.queue_) t.queue_->stop(t);
  heap_.push_back(&t);
  t.queue_ = this;
  t.due_ = due;
  t.order_ = next_order_++;
  t.slot_ = heap_.size() - 1;
  up(t.slot_);
}

void timer_queue::stop(timer& t) noexcept {
  if (t.queue_ != this) return;
  t.queue_ = nullptr;
  std::size_t const slot = t.slot_;
  timer* const last = heap_.back();
  heap_.pop_back();
  if (last == &t) return;
  place(*last, slot);
  up(slot);
  down(last->slot_);
}

timer* timer_queue::pop_due(std::int64_t now) noexcept {
  if (heap_.empty() || heap_.front()->due_ > now) return nullptr;
  timer* const t = heap_.front();
  stop(*t);
  return t;
}

void timer_queue::place(timer& t, std::size_t slot) noexcept {
  heap_[slot] = &t;
  t.slot_ = slot;
}

void timer_queue::up(std::size_t slot) noexcept {
  timer& t = *heap_[slot];
  while (slot != 0) {
    std::size_t const parent = (slot - 1) / 2;
    if (!before(t, *heap_[parent])) break;
    place(*heap_[parent], slot);
    slot = parent;
  }
  place(t, slot);
}

void timer_queue::down(std::size_t slot) noexcept {
  timer& t = *heap_[slot];
  for (;;) {
    std::size_t child = 2 * slot + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(*heap_[child + 1], *heap_[child])) ++child;
    if (!before(*heap_[child], t)) break;
    place(*heap_[child], slot);
    slot = child;
  }
  place(t, slot);
}

}  // namespace weir
