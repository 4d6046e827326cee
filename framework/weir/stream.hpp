#pragma once
#include <weir/detail/transfer.hpp>
#include <weir/explanation.hpp>
#include <weir/producer.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

std::exception_ptr cancelled_error() noexcept;

// The slow half of a pull: there is nothing left to show.
template <class T, class Producer, class Promise>
[[gnu::noinline]] std::coroutine_handle<> pull_for(Producer& p, context* ctx, std::coroutine_handle<Promise> consumer,
                                                   bool marks) noexcept {
  if (p.extras) p.acknowledge();
  mark_carrier* carrier = nullptr;
  if constexpr (std::derived_from<Promise, mark_carrier>) carrier = marks ? nullptr : &consumer.promise();
  p.attach(ctx, consumer.address(), nullptr, marks, carrier);
  if (ctx->cancelled()) [[unlikely]] {
    p.fail(cancelled_error());
    return consumer;
  }
  std::coroutine_handle<> const h = p.pull();
  return h ? transfer(h) : std::coroutine_handle<>(consumer);
}

// co_await s.next(): ready without suspension while the chunk has elements.
template <class T, class Producer> class next_awaiter {
public:
  explicit next_awaiter(Producer& p) noexcept : p_(&p) {}
  bool await_ready() const noexcept { return p_->cursor != p_->end; }
  template <std::derived_from<promise_base> P>
  [[gnu::always_inline]] std::coroutine_handle<> await_suspend(std::coroutine_handle<P> c) noexcept {
    context* const ctx = c.promise().ctx;
    if (p_->express_to(c.address(), ctx) && !ctx->cancelled()) [[likely]]
      return transfer(p_->generator());
    return pull_for<T>(*p_, ctx, c, false);
  }
  T* await_resume() const { return p_->take(); }

private:
  Producer* p_;
};

// co_await next_chunk(s): a chunk with nothing in it is the end.
template <class T> class chunk_awaiter {
public:
  chunk_awaiter(producer<T>& p, context* ctx) noexcept : p_(&p), ctx_(ctx) {}
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> std::coroutine_handle<> await_suspend(std::coroutine_handle<P> c) noexcept {
    p_->show(nullptr, nullptr, nullptr);
    return pull_for<T>(*p_, ctx_ ? ctx_ : c.promise().ctx, c, true);
  }
  chunk<T> await_resume() {  // by value: a temporary awaiter dies with the loop's condition
    if (p_->cursor == p_->end && p_->marks().empty()) {
      if (p_->error) std::rethrow_exception(std::exchange(p_->error, {}));
      return {};
    }
    T* const first = std::exchange(p_->cursor, p_->end);
    return chunk<T>(std::span<T>(first, p_->end), p_->extras ? p_->extras->times : nullptr, p_->marks());
  }

private:
  producer<T>* p_;
  context* ctx_;
};

template <class T> class generator_promise;

}  // namespace detail

/// A lazy, ordered sequence of `T` that is pulled: `while (T* x = co_await s.next()) ...`. The pull is the backpressure, and
/// the acknowledgement: whoever asks for more is done with what it was given.
///
/// A coroutine that returns a stream is a generator and starts at the first pull.
/// - `co_yield value` hands over one element and does not run ahead (a temporary by reference, an lvalue as a copy);
/// - `co_yield std::span<T>` hands over many with one resume, and keeps them until it is resumed; the consumer may change
///   them and move from them;
/// - `co_yield chunk<T>` and `co_yield mark` are for operators.
/// It awaits tasks, other streams and Asio operations like any coroutine of ours. Stages (`s | map(f) | filter(g)`) fuse into one loop.
///
/// Completes when the generator returns; `next()` then gives null, again and again. Fails when it throws: what it yielded before is
/// delivered first, then the exception is thrown by `next()`. Cancelled: `next()` throws `errc::cancelled` and the stream has ended.
/// Destroying it half-way is a normal thing: the generator's locals are destroyed, what runs beside it is cancelled, and joined before
/// the run it belongs to completes.
///
/// Move-only, single consumer, strand only. `T` needs a noexcept move where it crosses a fused stage. An element crosses in 4 ns, in
/// chunks of 256 below 2 ns.
template <class T> class [[nodiscard("a stream does nothing until it is pulled")]] stream {
public:
  using promise_type = detail::generator_promise<T>;
  using value_type = T;
  static constexpr bool timed = false;

  explicit stream(producer<T>* p) noexcept : p_(p) {}
  stream(stream&&) noexcept = default;
  stream& operator=(stream&&) noexcept = default;

  /// The next element, or null at the end. The pointer is good until the next call.
  detail::next_awaiter<T, producer<T>> next() noexcept { return detail::next_awaiter<T, producer<T>>(*p_); }

  /// Why time does not pass here, and what waits for it. On the strand, between or during pulls.
  explanation explain() const {
    explanation e;
    p_->explain(e);
    return e;
  }

  /// For authors of operators.
  producer<T>& source() const noexcept { return *p_; }
  void add_lineage(detail::lineage& l) const {
    if (p_) p_->add_lineage(l);
  }
  explicit operator bool() const noexcept { return p_ != nullptr; }

private:
  struct disposer {
    void operator()(producer<T>* p) const noexcept { p->dispose(); }
  };
  std::unique_ptr<producer<T>, disposer> p_;
};

/// A stream whose elements have event times, and whose marks include watermarks. What `event_time` makes; operators on time accept
/// nothing else.
template <class T> class [[nodiscard("a stream does nothing until it is pulled")]] timed_stream : public stream<T> {
public:
  static constexpr bool timed = true;
  explicit timed_stream(producer<T>* p) noexcept : stream<T>(p) {}
  /// For authors of operators: they vouch that every chunk has times.
  explicit timed_stream(stream<T>&& s) noexcept : stream<T>(std::move(s)) {}
};

/// For operators: `while (chunk<T> c = co_await next_chunk(s))`. Sees times and marks. Whoever takes marks passes them on, in their
/// place, a barrier only after what came before it has left or is saved in it.
template <class T> detail::chunk_awaiter<T> next_chunk(stream<T>& s) noexcept { return detail::chunk_awaiter<T>(s.source(), nullptr); }
/// The same under a context of the caller's choice, so that a wait of the source can be ended by itself.
template <class T> detail::chunk_awaiter<T> next_chunk(stream<T>& s, context& under) noexcept {
  return detail::chunk_awaiter<T>(s.source(), &under);
}

}  // namespace weir

#include <weir/detail/generator.hpp>
