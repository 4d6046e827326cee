#pragma once
#include <weir/detail/asio_environment.hpp>
#include <weir/stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace weir {

/// A stream for code that is written in `asio::awaitable`:
/// ```cpp
/// asio::awaitable<void> print(weir::stream<int> s) {
///   weir::awaitable_stream<int> in(co_await asio::this_coro::executor, std::move(s));
///   while (int* x = co_await in.next()) std::cout << *x;
/// }
/// ```
/// An element that is there is handed over without a trip through the executor and without recursion, however many follow each
/// other; about 50 ns each, which is what an `asio::awaitable` costs. (The other way round needs no adapter:
/// `co_await asio::co_spawn(executor, f(), weir::use)`.)
///
/// Cancelling the awaiting coroutine cancels the pull. Destroying it half-way drops the stream, as anywhere; what runs beside the stream
/// is cancelled and ends on the executor. Use on the executor's strand only.
template <class T> class awaitable_stream {
public:
  awaitable_stream(boost::asio::any_io_executor executor, stream<T> s) {
    auto owned = std::make_shared<detail::asio_environment>(std::move(executor));
    environment& env = *owned;
    home_ = detail::nursery_ref(*new detail::nursery(env, std::move(owned)));
    state_ = std::make_unique<state>();
    detail::root const r = serve(std::move(s), *state_);
    state_->server = r.h;
    home_->adopt_main(r);
  }
  awaitable_stream(awaitable_stream&&) noexcept = default;
  awaitable_stream& operator=(awaitable_stream&&) = delete;
  ~awaitable_stream() {
    if (!state_ || home_->dead()) return;
    if (state_->pulling) home_->abandon();
    else home_->dismiss(state_->server);
  }

  /// The next element, or null at the end; the pointer is good until the next call. Throws the stream's failure.
  boost::asio::awaitable<T*> next() {
    state& s = *state_;
    s.pulling = true;
    detail::drive(s.server);
    if (s.pulling) {
      co_await boost::asio::async_initiate<boost::asio::use_awaitable_t<> const, void()>(
          [&s](auto handler) {
            auto slot = boost::asio::get_associated_cancellation_slot(handler);
            if (slot.is_connected()) {
              slot.assign([&s](boost::asio::cancellation_type type) {
                if (type != boost::asio::cancellation_type::none) s.server.promise().own.cancel();
              });
            }
            auto kept = std::make_shared<decltype(handler)>(std::move(handler));
            s.ready = [kept] { std::move (*kept)(); };
          },
          boost::asio::use_awaitable);
    }
    if (s.failure) std::rethrow_exception(std::exchange(s.failure, {}));
    co_return s.element;
  }

private:
  struct state {
    detail::root::handle server;
    bool pulling = false;
    T* element = nullptr;
    std::exception_ptr failure;
    std::function<void()> ready;  // set while the awaitable is suspended
  };

  // Tells whoever waits, once the server is suspended: it may be resumed, or destroyed, from within.
  class answered {
  public:
    explicit answered(state& st) noexcept : state_(&st) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const {
      state_->pulling = false;
      if (auto const ready = std::exchange(state_->ready, nullptr)) ready();
    }
    void await_resume() const noexcept {}

  private:
    state* state_;
  };

  // When the event loop is destroyed, so is whoever waits for an answer, and the state with it.
  class unanswered {
  public:
    explicit unanswered(state& st) noexcept : state_(&st) {}
    unanswered(unanswered const&) = delete;
    unanswered& operator=(unanswered const&) = delete;
    ~unanswered() { auto const nobody = std::exchange(state_->ready, nullptr); }

  private:
    state* state_;
  };

  // One pull per resumption; between them it is suspended and may be destroyed.
  static detail::root serve(stream<T> s, state& st) {
    unanswered const last(st);
    for (;;) {
      st.element = nullptr;
      try {
        st.element = co_await s.next();
      } catch (...) {
        st.failure = std::current_exception();
      }
      co_await answered(st);
    }
  }

  detail::nursery_ref home_;
  std::unique_ptr<state> state_;
};

}  // namespace weir
