#pragma once
#include <weir/detail/asio_environment.hpp>
#include <weir/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/prefer.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class T> struct spawn_signature {
  using type = void(std::exception_ptr, T);
};
template <> struct spawn_signature<void> {
  using type = void(std::exception_ptr);
};

template <class Handler, class... A> void finish_on(boost::asio::any_io_executor const& fallback, Handler handler, A... a) {
  auto const where = boost::asio::get_associated_executor(handler, fallback);
  auto call = [handler = std::move(handler), ... a = std::move(a)]() mutable { std::move(handler)(std::move(a)...); };
  boost::asio::dispatch(where, std::move(call));
}

// The token's cancellation slot, for as long as the task runs.
template <class Slot> class bound_slot {
public:
  explicit bound_slot(Slot slot) noexcept : slot_(std::move(slot)) {}
  bound_slot(bound_slot&& o) noexcept : slot_(std::exchange(o.slot_, Slot())) {}
  bound_slot& operator=(bound_slot&&) = delete;
  ~bound_slot() { release(); }
  void release() noexcept {
    if (slot_.is_connected()) slot_.clear();
    slot_ = Slot();
  }

private:
  Slot slot_;
};

template <class T, class Handler, class Slot>
root run_spawned(task<T> work, Handler handler, bound_slot<Slot> slot,
                 boost::asio::executor_work_guard<boost::asio::any_io_executor> guard) {
  context& own = co_await current_context();
  std::exception_ptr failure;
  std::conditional_t<std::is_void_v<T>, std::optional<bool>, std::optional<T>> value;
  try {
    task<T> running = std::move(work);  // what it has kept, a stream with a feeder say, goes before the join
    if constexpr (std::is_void_v<T>) co_await std::move(running);
    else value.emplace(co_await std::move(running));
  } catch (...) {
    failure = std::current_exception();
  }
  co_await own.nursery().join();
  slot.release();
  boost::asio::any_io_executor const executor = guard.get_executor();
  if constexpr (std::is_void_v<T>) finish_on(executor, std::move(handler), failure);
  else finish_on(executor, std::move(handler), failure, value ? T(std::move(*value)) : T());
}

}  // namespace detail

/// Runs a task on an Asio executor and completes like any Asio operation: `spawn(io, run(), asio::detached)`,
/// `co_await spawn(io, f(), asio::use_awaitable)`, `asio::use_future`, a callback, `co_await spawn(strand, f(), weir::use)`.
///
/// Signature: `void(std::exception_ptr)` for `task<>`, `void(std::exception_ptr, T)` for `task<T>` (`T` default-constructible, as for
/// Asio's co_spawn). The task starts from the event loop, never within this call. It completes when the task and everything that runs
/// beside it has ended. The token's cancellation slot (any type but `none`) cancels the task's context; emit on the executor.
/// The handler runs on its associated executor. When the event loop is destroyed first, all its coroutines are destroyed.
///
/// A task and what it starts run on one strand: on an event loop that several threads run, pass `asio::make_strand(loop)`.
template <class T, class Token> auto spawn(boost::asio::any_io_executor executor, task<T> work, Token&& token) {
  return boost::asio::async_initiate<Token, typename detail::spawn_signature<T>::type>(
      [](auto handler, boost::asio::any_io_executor const& ex, task<T> w) {
        auto owned = std::make_shared<detail::asio_environment>(ex);
        environment& env = *owned;
        detail::nursery_ref home(*new detail::nursery(env, std::move(owned)));
        auto slot = boost::asio::get_associated_cancellation_slot(handler);
        detail::bound_slot<decltype(slot)> bound(slot);
        boost::asio::executor_work_guard<boost::asio::any_io_executor> guard(ex);
        detail::root const r = detail::run_spawned<T>(std::move(w), std::move(handler), std::move(bound), std::move(guard));
        if (slot.is_connected()) {
          slot.assign([own = &r.h.promise().own](boost::asio::cancellation_type type) {
            if (type != boost::asio::cancellation_type::none) own->cancel();
          });
        }
        detail::nursery::start_main(std::move(home), r);
      },
      token, std::move(executor), std::move(work));
}

/// The same on an execution context: an `io_context`, a `thread_pool`'s strand.
template <class Context, class T, class Token>
  requires std::is_convertible_v<Context&, boost::asio::execution_context&>
auto spawn(Context& loop, task<T> work, Token&& token) {
  return spawn(boost::asio::any_io_executor(loop.get_executor()), std::move(work), std::forward<Token>(token));
}

}  // namespace weir
