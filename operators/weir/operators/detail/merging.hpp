#pragma once
#include <weir/operators/detail/beside.hpp>
#include <weir/operators/detail/ring.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <concepts>
#include <coroutine>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

// Each input has a feeder that offers one chunk at a time and waits until the consumer is done with it. Offers queue, so inputs take
// turns, and nothing is copied.
template <class T> class merging final : public beside {
public:
  struct offer {
    chunk<T> elements;
    std::coroutine_handle<> feeder;
  };
  explicit merging(context& caller) noexcept : beside(caller) {}

  // `co_await s.offering(c)` in a feeder: until the consumer has asked for more. Not ended by cancellation, as the chunk is in use.
  class offering_awaiter {
  public:
    offering_awaiter(merging& m, chunk<T> c) noexcept : merging_(&m), chunk_(c) {}
    bool await_ready() const noexcept { return merging_->cancelled(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
      merging& m = *merging_;
      m.offers_.push(offer{chunk_, h});
      return m.next_to_run();
    }
    void await_resume() const {
      if (merging_->cancelled()) throw_cancelled();
    }

  private:
    merging* merging_;
    chunk<T> chunk_;
  };
  offering_awaiter offering(chunk<T> c) noexcept { return offering_awaiter(*this, c); }

  // An input has failed: the others are ended, what they offered before is still delivered.
  void failed(std::exception_ptr why) noexcept {
    if (failure) return;
    failure = std::move(why);
    all().cancel();
  }
  // The next chunk becomes the one the consumer looks at. False: there is none.
  bool take(chunk<T>& c) {
    if (offers_.empty()) return false;
    offer const o = offers_.pop();
    c = o.elements;
    current_ = o.feeder;
    return true;
  }
  // The consumer is done with it.
  void done() { drive(std::exchange(current_, {})); }

  std::exception_ptr failure;

private:
  bool something_ready() const noexcept override { return !offers_.empty(); }
  void dropped() noexcept override {
    nursery& home = all().nursery();
    if (running() == 0 || home.dead()) return;
    resume_later(std::exchange(current_, {}), home);
    while (!offers_.empty()) resume_later(offers_.pop().feeder, home);
  }

  ring<offer> offers_;
  std::coroutine_handle<> current_;
};

template <class T> root feed_merge(stream<T> source, strand_ptr<merging<T>> s) {
  {
    stream<T> in = std::move(source);
    try {
      while (chunk<T> c = co_await next_chunk(in)) co_await s->offering(c);
    } catch (...) {
      s->failed(std::current_exception());
    }
  }
  s->leave();
}

// Of the marks of one input, those that say something about the whole: not that this one is idle or has been stopped.
inline bool outlives_merge(mark const& m) noexcept { return m.kind == mark_kind::barrier || m.kind == mark_kind::restore; }

template <class T> stream<T> emit_merged(std::vector<stream<T>> inputs) {
  using shared = merging<T>;
  context& caller = co_await current_context();
  emitter_hold<shared> const s(strand_ptr<shared>(new shared(caller)));
  for (stream<T>& in : inputs) s->start(feed_merge<T>(std::move(in), s.share()), s->all());
  inputs.clear();
  std::vector<mark> marks;
  bool stopped = false;
  for (;;) {
    co_await s->news();
    if (s->gave_up()) throw_cancelled();
    chunk<T> c;
    if (!s->take(c)) break;
    if (!std::all_of(c.marks.begin(), c.marks.end(), outlives_merge)) {
      marks.clear();
      for (mark const& m : c.marks) {
        if (outlives_merge(m)) marks.push_back(m);
        stopped = stopped || m.kind == mark_kind::stop;
      }
      c.marks = marks;
    }
    if (c) co_yield c;
    s->done();
  }
  if (s->failure) std::rethrow_exception(s->failure);
  if (stopped) co_yield mark::stop();
}

}  // namespace weir::detail
