#pragma once
#include <weir/operators/detail/generator_operator.hpp>
#include <weir/operators/detail/read_ahead.hpp>

#include <cstddef>
#include <utility>

namespace weir {
namespace detail {

class open_read_ahead {
public:
  explicit open_read_ahead(std::size_t most);
  template <class T> stream<T> operator()(stream<T> in) && { return emit_ahead<T>(std::move(in), most_); }

private:
  std::size_t most_;
};

}  // namespace detail

/// Reads ahead of its consumer: while that one works on a chunk, up to `n` further elements are pulled and wait here.
///
/// Worth it where source and consumer wait for different things: the next request is under way while the last reply is worked on. Elements
/// that came one by one leave as one chunk. Order, event time and key are kept, marks keep their place. A barrier completes when the
/// consumer has pulled past it, not when it is read; what was read ahead comes again after a restart.
/// - Emits when: anything has been read.   Backpressures when: `n` elements wait here.
/// - Completes when: upstream has completed and everything is delivered.   Fails when: upstream fails, after what was read before.
/// - Cancelled: the pull under way is cancelled and joined, then `errc::cancelled` is thrown; what waits here is dropped unacknowledged.
///   Dropped half-way: the same, joined by the run.
/// State: none.   `n` >= 1 elements; up to 2 `n` are in memory.   Errors: `errc::invalid_option` when built.
/// Source: a bounded buffer between producer and consumer, Dijkstra 1965; `buffer` of Pekko streams.
inline auto prefetch(std::size_t n) {
  return detail::generator_operator<detail::open_read_ahead, detail::same_elements>(detail::open_read_ahead(n));
}

}  // namespace weir
