#pragma once
#include <weir/barrier.hpp>
#include <weir/operators/detail/block.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/operators/detail/ring.hpp>
#include <weir/operators/detail/split_control.hpp>
#include <weir/operators/split_options.hpp>
#include <weir/stream.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace weir::detail {

// What the halves of a split share: the source, and what waits for each. No coroutine of its own: whichever half needs an element reads.
template <class T, class F> class splitting final : public split_control {
public:
  using element_type = T;
  static constexpr std::size_t matching = 0, rest = 1;
  splitting(stream<T> source, F predicate, split_options o)
      : split_control(o, lineage_of(source)), source_(std::move(source)), predicate_(std::move(predicate)) {}

  detail::chunk_awaiter<T> read() noexcept { return next_chunk(source_); }
  void distribute(chunk<T> const& c) {
    std::size_t next = 0;
    for (std::size_t i = 0; i <= c.elements.size(); ++i) {
      for (; next != c.marks.size() && c.marks[next].at == i; ++next) distribute(c.marks[next]);
      if (i == c.elements.size()) break;
      std::size_t const to = look_at(predicate_, c.elements[i]) ? matching : rest;
      if (gone(to)) continue;
      open(to).add(std::move(c.elements[i]), c.times ? c.times + i : nullptr);
      arrived(to);
    }
  }
  // Exchanges an empty block for the first one. False: there is none.
  bool take(std::size_t half, block<T>& out) {
    if (queues_[half].empty()) return false;
    spare_.push_back(std::exchange(out, queues_[half].pop()));
    taken(half, out.size());
    return true;
  }

private:
  static lineage lineage_of(stream<T> const& source) {
    lineage l;
    source.add_lineage(l);
    return l;
  }
  void distribute(mark const& m) {
    for (std::size_t const half : {matching, rest})
      if (auto const own = for_half(m, half)) open(half).add(*own);
  }
  block<T>& open(std::size_t half) {
    ring<block<T>>& queue = queues_[half];
    if (!queue.empty() && !queue.back().ended()) return queue.back();
    if (spare_.empty()) return queue.push(block<T>());
    block<T>& b = queue.push(std::move(spare_.back()));
    spare_.pop_back();
    return b;
  }
  void forget(std::size_t half) noexcept override { queues_[half] = ring<block<T>>(); }

  stream<T> source_;
  [[no_unique_address]] F predicate_;
  std::array<ring<block<T>>, 2> queues_;
  std::vector<block<T>> spare_;  // their memory is used again
};

// One half's hold on what they share; it dies with its stream, pulled or not.
template <class Shared> class split_end {
public:
  split_end(std::shared_ptr<Shared> s, std::size_t half) noexcept : shared_(std::move(s)), half_(half) {}
  split_end(split_end&&) noexcept = default;
  split_end& operator=(split_end&&) = delete;
  ~split_end() {
    if (shared_) shared_->drop(half_);
  }
  Shared* operator->() const noexcept { return shared_.get(); }
  Shared& operator*() const noexcept { return *shared_; }
  std::size_t half() const noexcept { return half_; }
  void add_lineage(lineage& l) const { shared_->add_lineage(half_, l); }

private:
  std::shared_ptr<Shared> shared_;
  std::size_t half_;
};

template <class Shared> stream<typename Shared::element_type> split_half(split_end<Shared> s) {
  using element = typename Shared::element_type;
  producer<element> const& me = co_await this_producer<element>();
  std::size_t const half = s.half();
  block<element> out;
  for (;;) {
    s->asked_by(half, me.consumer());
    if (s->take(half, out)) {
      co_yield out.as_chunk();
      out.clear();
    } else if (s->over(half)) {
      break;
    } else if (!s->may_read(half)) {
      bool const woken = co_await split_wait(*s, half);
      if (!woken) s->throw_stalled(half);
    } else {
      s->begin_reading();
      try {
        chunk<element> const c = co_await s->read();
        if (c) s->distribute(c);
        else s->end();
      } catch (...) {
        s->fail(std::current_exception());
      }
      s->end_reading(half);
    }
  }
}

}  // namespace weir::detail
