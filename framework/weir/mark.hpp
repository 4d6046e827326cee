#pragma once
#include <weir/barrier.hpp>
#include <weir/instant.hpp>

#include <chrono>
#include <cstdint>

namespace weir {

/// What a mark says.
enum class mark_kind : std::uint8_t {
  watermark,  ///< no event time below `time` is expected
  idle,       ///< the partition has nothing to read, and could read: for `time` nanoseconds by now
  barrier,    ///< what came before belongs to one checkpoint
  restore,    ///< before the first element: the state of the checkpoint the stream resumes from
  stop,       ///< after the last element: the stream ends although its data does not (drain, lost lease); nothing open is finished
};

/// Control that travels between elements. A mark lies *before* the element with index `at` of its chunk (`at` == size: after the last
/// one). Marks keep their order relative to elements. Watermarks at one place coalesce without loss, since only the last one
/// can decide anything; a barrier ends its chunk. `next()` does not show marks; operators see them through `next_chunk` or `stage::mark`.
struct mark {
  std::uint32_t at = 0;
  mark_kind kind;
  union {
    instant time;
    weir::barrier* cut;
    restored_state* state;
  };

  static mark watermark(instant t) noexcept {
    mark m(mark_kind::watermark);
    m.time = t;
    return m;
  }
  /// `quiet` >= 0: how long the source has found nothing, counting only the time in which it was asked (a source whose consumer is busy is
  /// back-pressured, not idle). A live source repeats the mark while it stays quiet, so that time can pass without elements.
  static mark idle(std::chrono::nanoseconds quiet = {}) noexcept {
    mark m(mark_kind::idle);
    m.time = quiet.count();
    return m;
  }
  static mark barrier(weir::barrier& b) noexcept {
    mark m(mark_kind::barrier);
    m.cut = &b;
    return m;
  }
  static mark restore(restored_state& s) noexcept {
    mark m(mark_kind::restore);
    m.state = &s;
    return m;
  }
  static mark stop() noexcept { return mark(mark_kind::stop); }
  /// The same where the partition has ended for good: what was saved at the last barrier is that of others from here on.
  static mark handed_over() noexcept {
    mark m(mark_kind::stop);
    m.time = 1;
    return m;
  }
  bool hands_over() const noexcept { return kind == mark_kind::stop && time != 0; }

private:
  explicit mark(mark_kind k) noexcept : kind(k), time(0) {}
};
static_assert(sizeof(mark) == 16);

}  // namespace weir
