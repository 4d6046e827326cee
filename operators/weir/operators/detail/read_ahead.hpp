#pragma once
#include <weir/detail/memory_account.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/operators/detail/beside.hpp>
#include <weir/operators/detail/block.hpp>
#include <weir/operators/detail/explained_source.hpp>
#include <weir/operators/detail/ring.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

// What was read and not yet asked for: blocks, each up to a barrier.
template <class T> class read_ahead final : public beside, public explained_source<T> {
public:
  read_ahead(context& caller, std::size_t most) : beside(caller), most_(most), account_(caller.memory()) {
    memory_.enter(account_, "prefetch", memory_account::holding::passing);
  }

  // Where memory is short, there is room only while nothing waits.
  std::size_t free() const noexcept {
    if (waiting_ != 0 && account_ && account_->full()) return 0;
    return most_ - std::min(most_, waiting_);
  }
  void add(std::span<T> xs, instant const* times) {
    if (xs.empty()) return;
    if (account_) sizes_.look_at(xs.front());
    open().add(xs, times);
    waiting_ += xs.size();
    count();
  }
  void add(mark m) { open().add(m); }
  // Exchanges an empty block for the first one. False: there is none.
  bool take(block<T>& out) {
    if (blocks_.empty()) return false;
    spare_.push_back(std::exchange(out, blocks_.pop()));
    taken_ = out.size();
    waiting_ -= taken_;
    count();
    return true;
  }

  parking_place room;
  std::exception_ptr failure;

private:
  bool something_ready() const noexcept override { return !blocks_.empty(); }
  void count() noexcept { memory_.set((waiting_ + taken_) * sizeof(T) + sizes_.of(waiting_ + taken_)); }
  block<T>& open() {
    if (!blocks_.empty() && !blocks_.back().ended()) return blocks_.back();
    if (spare_.empty()) return blocks_.push(block<T>());
    block<T>& b = blocks_.push(std::move(spare_.back()));
    spare_.pop_back();
    return b;
  }

  std::size_t most_, waiting_ = 0, taken_ = 0;  // taken: which the consumer looks at
  ring<block<T>> blocks_;
  std::vector<block<T>> spare_;  // their memory is used again
  memory_account* account_;
  memory_account::entry memory_;
  sampled_bytes<T> sizes_;
};

template <class T> root feed_ahead(stream<T> source, strand_ptr<read_ahead<T>> s) {
  {
    stream<T> in = std::move(source);
    typename explained_source<T>::while_open const open(*s, in);
    try {
      while (chunk<T> c = co_await next_chunk(in)) {
        std::size_t i = 0, next_mark = 0;
        for (;;) {
          for (; next_mark != c.marks.size() && c.marks[next_mark].at == i; ++next_mark) s->add(c.marks[next_mark]);
          if (i == c.elements.size()) break;
          while (s->free() == 0) {
            s->wake_emitter();
            if (s->free() == 0) co_await s->room.park();
          }
          std::size_t const stop = next_mark == c.marks.size() ? c.elements.size() : c.marks[next_mark].at;
          std::size_t const n = std::min(stop - i, s->free());
          s->add(c.elements.subspan(i, n), c.times ? c.times + i : nullptr);
          i += n;
        }
        s->wake_emitter();
        if (s->cancelled()) throw_cancelled();
      }
    } catch (...) {
      s->failure = std::current_exception();
    }
  }
  s->leave();
}

template <class T> stream<T> emit_ahead(stream<T> in, std::size_t most) {
  using shared = read_ahead<T>;
  context& caller = co_await current_context();
  emitter_hold<shared> const s(strand_ptr<shared>(new shared(caller, most)));
  co_await explained_by<T>(*s.share());
  s->start(feed_ahead<T>(std::move(in), s.share()), s->all());
  block<T> out;
  for (;;) {
    co_await s->news();
    if (s->gave_up()) throw_cancelled();
    if (!s->take(out)) break;
    s->room.wake();
    co_yield out.as_chunk();
    out.clear();
  }
  if (s->failure) std::rethrow_exception(s->failure);
}

}  // namespace weir::detail
