#pragma once
#include <weir/operators/detail/chunk_slice.hpp>
#include <weir/outcome.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace weir::detail {

// Throws the failure, which says after how many attempts.
[[noreturn]] void give_up_after(std::exception_ptr const& failure, unsigned attempts);

template <class T, class U, class F> stream<U> emit_retried(stream<T> in, retry_policy policy, F f) {
  while (chunk<T> c = co_await next_chunk(in)) {
    chunk_slices<T> rest(c);
    while (!rest.over()) {
      if (rest.marks_here()) {
        auto const only_marks = rest.take(0);
        co_yield chunk<U>(std::span<U>(), nullptr, only_marks.marks);
        continue;
      }
      T& x = rest.front();
      outcome<U> result;
      for (unsigned failed = 0; !result.has_value();) {
        std::exception_ptr failure;
        try {
          task<U> work = std::invoke(f, x);
          result.emplace(co_await std::move(work));
        } catch (...) {
          failure = std::current_exception();
        }
        if (!failure) break;
        std::optional<std::chrono::nanoseconds> wait;
        ++failed;
        context const& own = co_await current_context();  // of this pull
        if (!own.cancelled()) wait = policy.after(failure, failed);
        if (!wait) give_up_after(failure, failed);
        co_await sleep_for(*wait);
      }
      auto const piece = rest.take(1);
      co_yield chunk<U>(std::span<U>(&result.get(), 1), piece.times, piece.marks);
    }
  }
}

}  // namespace weir::detail
