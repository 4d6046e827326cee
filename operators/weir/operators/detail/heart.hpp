#pragma once
#include <weir/clock.hpp>
#include <weir/instant.hpp>
#include <weir/mark.hpp>
#include <weir/operators/detail/explained_source.hpp>
#include <weir/operators/detail/offers.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace weir::detail {

// An input and the clock: while the consumer waits and the input has nothing, it beats. One chunk at a time, as offers has it.
template <class T> class heart final : public offers<T>, public explained_source<T>, private timer {
public:
  heart(context& caller, std::chrono::nanoseconds every) noexcept : offers<T>(caller), every_(every) {}

  // The consumer waits from here on, until `heard`.
  void listen() {
    if (something_ready() || this->running() == 0) return;
    since_ = clock().now();
    clock().start(*this, every_ - silent_);
  }
  void heard() noexcept {
    if (!pending()) return;
    clock().stop(*this);
    // The wall clock may have been set; the timer knows that less than a period has passed.
    silent_ += std::clamp(std::chrono::nanoseconds(clock().now() - since_), std::chrono::nanoseconds(0), every_ - silent_);
  }
  void came(chunk<T> const& c) noexcept {
    if (!c.elements.empty()) start_over(std::chrono::nanoseconds(0));
    for (mark const& m : c.marks)
      if (m.kind == mark_kind::idle) start_over(std::chrono::nanoseconds(m.time));  // it says so itself
  }
  bool beat() noexcept { return std::exchange(beats_, false); }
  std::chrono::nanoseconds quiet() const noexcept { return quiet_; }

private:
  bool something_ready() const noexcept override { return this->offered() || beats_; }
  weir::clock& clock() noexcept { return this->all().clock(); }
  void start_over(std::chrono::nanoseconds quiet) noexcept {
    quiet_ = quiet;
    silent_ = {};
    beats_ = false;
  }
  void fire() noexcept override {
    quiet_ += every_;
    silent_ = {};
    beats_ = true;
    this->wake_emitter();
  }
  void lost() noexcept override { this->all().nursery().abandon(); }
  void dropped() noexcept override {
    clock().stop(*this);
    offers<T>::dropped();
  }

  std::chrono::nanoseconds every_, quiet_{};  // so long by the last beat
  std::chrono::nanoseconds silent_{};         // since then, as far as the consumer waited
  instant since_ = 0;
  bool beats_ = false;
};

template <class T> root feed_heart(stream<T> source, strand_ptr<heart<T>> s) {
  {
    stream<T> in = std::move(source);
    typename explained_source<T>::while_open const open(*s, in);
    try {
      while (chunk<T> c = co_await next_chunk(in)) co_await s->offering(c);
    } catch (...) {
      s->failed(std::current_exception());
    }
  }
  s->leave();
}

template <class T> stream<T> emit_with_heartbeat(stream<T> in, std::chrono::nanoseconds every) {
  using shared = heart<T>;
  context& caller = co_await current_context();
  emitter_hold<shared> const s(strand_ptr<shared>(new shared(caller, every)));
  co_await explained_by<T>(*s.share());
  s->start(feed_heart<T>(std::move(in), s.share()), s->all());
  offer<T> next;
  for (;;) {
    s->listen();
    co_await s->news();
    s->heard();
    if (s->gave_up()) throw_cancelled();
    if (s->take(next)) {
      s->came(next.elements);
      co_yield next.elements;
      s->done();
    } else if (s->beat()) {
      co_yield mark::idle(s->quiet());
    } else {
      break;
    }
  }
  if (s->failure) std::rethrow_exception(s->failure);
}

}  // namespace weir::detail
