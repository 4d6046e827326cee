#pragma once
#include <weir/detail/memory_account.hpp>
#include <weir/operators/detail/beside.hpp>
#include <weir/operators/detail/explained_source.hpp>
#include <weir/operators/detail/held_marks.hpp>
#include <weir/operators/detail/open_batch.hpp>
#include <weir/operators/detail/ring.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

// A batch that is closed, or marks alone.
template <class T> class closed_batch {
public:
  bool marks_only() const noexcept { return elements_.empty(); }
  void fill(std::vector<T>& elements, std::optional<instant> time, std::size_t bytes) {
    elements_.push_back(std::move(elements));
    time_ = time;
    memory_ = bytes;
  }
  std::size_t memory() const noexcept { return memory_; }
  void add(mark m) {
    m.at = static_cast<std::uint32_t>(elements_.size());
    marks_.push_back(m);
  }
  chunk<std::vector<T>> as_chunk() noexcept {
    return chunk<std::vector<T>>(std::span<std::vector<T>>(elements_), time_ ? &*time_ : nullptr, marks_);
  }

private:
  std::vector<std::vector<T>> elements_;  // one or none
  std::optional<instant> time_;
  std::vector<mark> marks_;
  std::size_t memory_ = 0;
};

// batch with a limit in time: input, the clock and the consumer each may be the next to do something.
template <class T, class Size> class timed_batches final : public beside, public explained_source<T>, private timer {
public:
  using options = batch_options<Size, std::chrono::nanoseconds>;
  timed_batches(context& caller, options const& o) : beside(caller), open_(o), limit_(o.max_time()), account_(caller.memory()) {
    memory_.enter(account_, "batch", memory_account::holding::passing);  // a barrier closes it
  }

  // Downstream has not even taken the last batch.
  bool full() const noexcept { return !closed_.empty() && !closed_.back().marks_only(); }
  void add(T& x, instant const* time) {
    if (time) time_ = open_.empty() ? *time : std::max(*time_, *time);
    if (open_.add(x)) close();
  }
  void add(mark m) {
    if (m.kind == mark_kind::stop) {
      stopped_ = true;
      open_.clear();
      marks_.clear();
      all().clock().stop(*this);
    }
    if (m.kind == mark_kind::barrier && !open_.empty()) close();
    if (!open_.empty()) return marks_.add(m, 0);
    if (closed_.empty()) closed_.push(closed_batch<T>());
    closed_.back().add(m);
  }
  // No more input. Without an end of the data what is open comes again.
  void end(std::exception_ptr why) {
    all().clock().stop(*this);
    failure = std::move(why);
    if (!failure && !stopped_ && !open_.empty()) close();
  }
  closed_batch<T> take() {
    closed_batch<T> b = closed_.pop();
    closed_memory_ -= b.memory();
    count();
    return b;
  }
  void count() {
    if (account_) memory_.set(open_.memory() + closed_memory_);
  }
  // The feeder is about to wait for input.
  void watch_the_clock() {
    count();
    if (!open_.empty() && !pending()) all().clock().start(*this, limit_);
  }

  bool none_closed() const noexcept { return closed_.empty(); }
  parking_place room;
  std::exception_ptr failure;

private:
  bool something_ready() const noexcept override { return !closed_.empty(); }
  void close() {
    if (pending()) all().clock().stop(*this);
    closed_batch<T>& b = closed_.push(closed_batch<T>());
    b.fill(open_.elements(), time_, account_ ? open_.memory() : 0);
    closed_memory_ += b.memory();
    open_.clear();
    marks_.release(held_marks_into(b), 0);
  }
  struct held_marks_into {
    explicit held_marks_into(closed_batch<T>& b) noexcept : to(&b) {}
    bool mark(weir::mark const& m) {
      to->add(m);
      return true;
    }
    closed_batch<T>* to;
  };
  void fire() noexcept override {
    close();
    wake_emitter();
  }
  void lost() noexcept override { all().nursery().abandon(); }
  void dropped() noexcept override { all().clock().stop(*this); }

  open_batch<T, Size> open_;
  std::optional<instant> time_;
  held_marks marks_;
  ring<closed_batch<T>> closed_;
  std::chrono::nanoseconds limit_;
  bool stopped_ = false;
  memory_account* account_;
  memory_account::entry memory_;
  std::size_t closed_memory_ = 0;
};

template <class T, class Size> root feed_batches(stream<T> source, strand_ptr<timed_batches<T, Size>> s) {
  std::exception_ptr failure;
  {
    stream<T> in = std::move(source);
    typename explained_source<T>::while_open const open(*s, in);
    try {
      while (chunk<T> c = co_await next_chunk(in)) {
        std::size_t next_mark = 0;
        for (std::size_t i = 0;; ++i) {
          for (; next_mark != c.marks.size() && c.marks[next_mark].at == i; ++next_mark) s->add(c.marks[next_mark]);
          if (i == c.elements.size()) break;
          while (s->full()) {
            s->wake_emitter();
            if (s->full()) co_await s->room.park();
          }
          s->add(c.elements[i], c.times ? c.times + i : nullptr);
        }
        s->wake_emitter();
        if (s->cancelled()) throw_cancelled();
        s->watch_the_clock();
      }
    } catch (...) {
      failure = std::current_exception();
    }
  }
  s->end(failure);
  s->leave();
}

template <class T, class Size>
stream<std::vector<T>> emit_timed_batches(stream<T> in, batch_options<Size, std::chrono::nanoseconds> options) {
  using shared = timed_batches<T, Size>;
  context& caller = co_await current_context();
  emitter_hold<shared> const s(strand_ptr<shared>(new shared(caller, options)));
  co_await explained_by<std::vector<T>>(*s.share());
  s->start(feed_batches<T, Size>(std::move(in), s.share()), s->all());
  for (;;) {
    co_await s->news();
    if (s->gave_up()) throw_cancelled();
    if (s->none_closed()) break;
    closed_batch<T> batch = s->take();
    s->room.wake();
    co_yield batch.as_chunk();
  }
  if (s->failure) std::rethrow_exception(s->failure);
}

}  // namespace weir::detail
