#pragma once
#include <weir/context.hpp>
#include <weir/operators/detail/chunk_slice.hpp>
#include <weir/operators/detail/explained_source.hpp>
#include <weir/operators/detail/generator_operator.hpp>
#include <weir/operators/detail/token_bucket.hpp>
#include <weir/sleep.hpp>
#include <weir/stream.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weir {
namespace detail {

template <class T> stream<T> emit_throttled(stream<T> in, token_bucket bucket) {
  context const& first = co_await current_context();
  weir::clock& clock = first.clock();  // a context may be gone by the next pull
  explained_source<T> const source(in);
  co_await explained_by<T>(source);
  while (chunk<T> c = co_await next_chunk(in)) {
    chunk_slices<T> rest(c);
    while (!rest.over()) {
      std::size_t const n = bucket.take(rest.left(), clock.now());
      if (n == 0 && !rest.marks_here()) co_await sleep_for(bucket.until_next(clock.now()));
      else co_yield rest.take(n);
    }
  }
}

class open_throttled {
public:
  open_throttled(std::uint64_t rate, std::chrono::nanoseconds per, std::uint64_t burst);
  template <class T> stream<T> operator()(stream<T> in) && { return emit_throttled<T>(std::move(in), bucket_); }

private:
  token_bucket bucket_;
};

}  // namespace detail

/// Limits the flow to `rate` elements per `per`, with bursts of up to `burst` (token bucket on the context's clock, full at the start).
///
/// Order, event time and key are kept and nothing is dropped. Marks keep their place and cost no token; a checkpoint may wait for the
/// elements before it. What has a token leaves at once, as one chunk.
/// - Emits when: an element waits and a token is free.   Backpressures when: no token is free, or downstream does.
/// - Completes when: upstream completes.   Fails when: upstream fails.   Cancelled: at once; the waiting elements stay unacknowledged.
/// State: 48 bytes, not checkpointed: after a restart the bucket is full.
/// `rate` >= 1 elements, `per` > 0, `burst` >= 1 elements (default: `rate`); `burst` x `per` up to 2^63 ns.
/// Errors: `errc::invalid_option` when built.   Source: token bucket, RFC 2697 section 3.
inline auto throttle(std::uint64_t rate, std::chrono::nanoseconds per, std::uint64_t burst) {
  return detail::generator_operator<detail::open_throttled, detail::same_elements>(detail::open_throttled(rate, per, burst));
}
inline auto throttle(std::uint64_t rate, std::chrono::nanoseconds per) { return throttle(rate, per, rate); }

}  // namespace weir
