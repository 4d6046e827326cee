#pragma once
#include <weir/detail/memory_account.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/operators/detail/beside.hpp>
#include <weir/operators/detail/block.hpp>
#include <weir/operators/detail/result_queue.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>
#include <weir/timeout.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace weir::detail {

// What the feeder, the tasks and the emitter of map_concurrent share.
template <class U, class F> class concurrent_map final : public beside {
public:
  template <class Options>
  concurrent_map(context& caller, Options const& options, F function)
      : beside(caller),
        results(options.order()),
        f(std::move(function)),
        intake(all()),
        capacity_(options.capacity()),
        order_(options.order()),
        timeout_(options.timeout()),
        account_(caller.memory()) {
    memory_.enter(account_, "map_concurrent", memory_account::holding::passing);
  }

  // Where memory is short, one element at a time has room.
  bool full() const noexcept {
    if (results.elements() != 0 && account_ && account_->full()) return true;
    return results.elements() >= capacity_;
  }
  // Elements have come or gone. What the tasks in work have in their frames is not known.
  void count() noexcept {
    std::size_t const all = results.elements() + taken_;
    memory_.set(all * result_queue<U>::bytes_per_element + sizes_.of(all));
  }
  // ... and so many of them the consumer looks at.
  void count_taken(std::size_t n) noexcept {
    taken_ = n;
    count();
  }
  std::optional<std::chrono::nanoseconds> timeout() const noexcept { return timeout_; }

  void finished(typename result_queue<U>::ticket const& t, outcome<U>& result) {
    std::exception_ptr const failure = result.error();
    if (account_ && !failure) sizes_.look_at(result.get());
    results.finish(t, result);
    count();
    if (!failure) return;
    if (order_ == ordering::ordered) {
      results.cancel_after(t);
      intake.cancel();
    } else if (!first_failure) {  // those it cancels may lie before it
      first_failure = failure;
      all().cancel();
    }
  }

  result_queue<U> results;
  F f;
  context intake;  // of the feeder
  parking_place room;
  bool feeding = false;  // elements are being begun: what is done at once is handed on together
  std::exception_ptr source_failure, first_failure;

private:
  bool something_ready() const noexcept override { return !feeding && results.front_done(); }

  std::size_t capacity_;
  ordering order_;
  std::optional<std::chrono::nanoseconds> timeout_;
  std::size_t taken_ = 0;
  memory_account* account_;
  memory_account::entry memory_;
  sampled_bytes<U> sizes_;
};

// One element's work.
template <class T, class U, class F>
root work_on(T x, typename result_queue<U>::ticket t, strand_ptr<concurrent_map<U, F>> s) {
  outcome<U> result;
  try {
    task<U> work = std::invoke(s->f, std::move(x));
    if (s->timeout()) work = with_timeout(*s->timeout(), std::move(work));
    result.emplace(co_await std::move(work));
  } catch (...) {
    result.fail(std::current_exception());
  }
  s->finished(t, result);
  s->leave();
}

template <class T, class U, class F> void begin_work(strand_ptr<concurrent_map<U, F>> const& s, T& x, std::optional<instant> time) {
  auto const ticket = s->results.begin(time);
  s->count();
  root const r = work_on<T, U, F>(std::move(x), ticket, s);
  s->results.runs_under(ticket, r.h.promise().own);
  s->start(r, s->all());
}

// Begins elements as there is room.
template <class T, class U, class F> root feed_map(stream<T> source, strand_ptr<concurrent_map<U, F>> s) {
  {
    stream<T> in = std::move(source);
    context const& own = co_await current_context();
    try {
      while (chunk<T> c = co_await next_chunk(in)) {
        s->feeding = true;
        std::size_t next_mark = 0;
        for (std::size_t i = 0;; ++i) {
          for (; next_mark != c.marks.size() && c.marks[next_mark].at == i; ++next_mark) s->results.add(c.marks[next_mark]);
          if (i == c.elements.size()) break;
          while (s->full()) {
            s->feeding = false;
            s->wake_emitter();
            if (s->full()) co_await s->room.park();
            s->feeding = true;
          }
          if (own.cancelled()) throw_cancelled();
          std::optional<instant> time;
          if (c.times) time = c.times[i];
          begin_work<T, U, F>(s, c.elements[i], time);
        }
        s->feeding = false;
        s->wake_emitter();
      }
    } catch (...) {
      s->source_failure = std::current_exception();
    }
    s->feeding = false;
  }
  s->leave();
}

template <class T, class U, class F, class Options> stream<U> emit_mapped(stream<T> in, Options options, F f) {
  using shared = concurrent_map<U, F>;
  context& caller = co_await current_context();
  emitter_hold<shared> const s(strand_ptr<shared>(new shared(caller, options, std::move(f))));
  s->start(feed_map<T, U, F>(std::move(in), s.share()), s->intake);
  block<U> out;
  for (;;) {
    co_await s->news();
    if (s->gave_up()) throw_cancelled();
    out.clear();
    std::exception_ptr const failure = s->results.take(out);
    s->count_taken(out.size());
    if (!failure) s->room.wake();
    if (!out.empty()) co_yield out.as_chunk();
    if (failure) {
      s->give_up();
      co_await s->news();
      std::rethrow_exception(s->first_failure ? s->first_failure : failure);
    }
    if (s->running() == 0 && s->results.empty()) break;
  }
  if (s->source_failure) std::rethrow_exception(s->source_failure);
}

}  // namespace weir::detail
