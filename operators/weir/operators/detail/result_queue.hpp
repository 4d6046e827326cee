#pragma once
#include <weir/context.hpp>
#include <weir/instant.hpp>
#include <weir/mark.hpp>
#include <weir/operators/detail/block.hpp>
#include <weir/operators/detail/ring.hpp>
#include <weir/operators/ordering.hpp>
#include <weir/outcome.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace weir::detail {

// Results of work that ends in any order, queued with the marks between. A place is made when an element begins. Where order counts its
// result goes there; else into the first free place since the last mark, so that what ends first leaves first.
template <class U> class result_queue {
public:
  // What an element in work keeps.
  struct ticket {
    std::uint64_t place, fence;
    std::optional<instant> time;
  };

  explicit result_queue(ordering o) : ordering_(o) { fences_.push(fence(0)); }
  bool empty() const noexcept { return places_.empty(); }
  // Elements in the queue, done or not.
  std::size_t elements() const noexcept { return elements_; }
  bool front_done() const noexcept { return !places_.empty() && places_.front().what != state::running; }

  ticket begin(std::optional<instant> time) {
    ++elements_;
    places_.push(place(state::running));
    return {places_.last() - 1, fences_.last() - 1, time};
  }
  // Where order counts: under which context it runs.
  void runs_under(ticket const& t, context& c) noexcept {
    if (ordering_ == ordering::ordered) places_[t.place].branch = &c;
  }
  void add(mark m) {
    bool const coalesces = m.kind == mark_kind::watermark || m.kind == mark_kind::idle;
    if (coalesces && !places_.empty() && places_.back().what == state::mark && places_.back().control.kind == m.kind) {
      places_.back().control = m;
      return;
    }
    place p(state::mark);
    p.control = m;
    places_.push(std::move(p));
    fences_.push(fence(places_.last()));
  }

  void finish(ticket const& t, outcome<U>& result) {
    // What was taken out lies before the first place: an unordered element's own place may be among it.
    place& to = places_[ordering_ == ordering::ordered ? t.place : fences_[t.fence].next_free++];
    to.branch = nullptr;
    to.what = result.failed() ? state::failed : state::done;
    to.time = t.time;
    to.result = std::move(result);
  }
  // Where order counts, what comes after a failure is of no use.
  void cancel_after(ticket const& t) noexcept {
    for (std::uint64_t n = t.place + 1; n < places_.last(); ++n)
      if (context* const branch = places_[n].branch) branch->cancel();
  }

  // Moves what is ready at the front into `out`, up to a barrier. Returns the failure that was next.
  std::exception_ptr take(block<U>& out) {
    while (front_done() && !out.ended()) {
      if (places_.front().what == state::failed) return places_.front().result.error();
      place p = places_.pop();
      if (p.what == state::mark) {
        out.add(p.control);
        (void)fences_.pop();
      } else {
        --elements_;
        out.add(std::move(p.result.get()), p.time ? &*p.time : nullptr);
      }
    }
    return {};
  }

private:
  enum class state : unsigned char { running, done, failed, mark };
  struct place {
    place() = default;
    explicit place(state s) noexcept : what(s) {}
    state what = state::running;
    weir::mark control = weir::mark::idle();
    context* branch = nullptr;
    std::optional<instant> time;
    outcome<U> result;
  };
  struct fence {
    fence() = default;
    explicit fence(std::uint64_t n) noexcept : next_free(n) {}
    std::uint64_t next_free = 0;  // where the next result of what began after this mark goes
  };

public:
  static constexpr std::size_t bytes_per_element = sizeof(place);

private:
  ordering ordering_;
  ring<place> places_;
  ring<fence> fences_;  // one for the beginning, one per mark
  std::size_t elements_ = 0;
};

}  // namespace weir::detail
