#pragma once
#include <weir/context.hpp>
#include <weir/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/error_code.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weir {

/// Completion token: `std::size_t n = co_await socket.async_read_some(buffer, weir::use);` in a task or a generator.
///
/// The operation is its own awaiter: no frame, no allocation of ours. It starts when awaited, completes on the context's executor and
/// is cancelled (`terminal`) with the context. A leading `error_code` or `exception_ptr` is thrown (`weir::error` with that code);
/// what else the operation yields is the result: nothing, one value, or a tuple. `asio::as_tuple(weir::use)` yields the code instead
/// of throwing. An operation that would start under a cancelled context throws `errc::cancelled` without starting.
///
/// An operation that completes within its initiation does not resume recursively. When the io_context is destroyed while the
/// operation is pending, the coroutines that wait for it are destroyed, innermost first.
/// Thread-safety: await on the context's strand.
struct use_t {
  constexpr use_t() = default;
};
/// The token itself.
inline constexpr use_t use{};

namespace detail {

// Marks that an operation's initiation is on this thread's stack, so that a completion from within it does not resume.
class initiation {
public:
  explicit initiation(void const* operation) noexcept : operation_(operation), outer_(std::exchange(innermost, this)) {}
  initiation(initiation const&) = delete;
  initiation& operator=(initiation const&) = delete;
  ~initiation() { innermost = outer_; }
  bool completed() const noexcept { return completed_; }
  static bool complete_inline(void const* operation) noexcept {
    for (initiation* i = innermost; i; i = i->outer_)
      if (i->operation_ == operation) return i->completed_ = true;
    return false;
  }

private:
  static inline constinit thread_local initiation* innermost = nullptr;
  void const* operation_;
  initiation* outer_;
  bool completed_ = false;
};

[[noreturn]] void throw_code(boost::system::error_code const& code);

template <class Init, class Args, class... A> class [[nodiscard]] asio_operation final : private cancellation_callback {
public:
  asio_operation(Init i, Args a) : init_(std::move(i)), args_(std::move(a)) {}
  bool await_ready() const noexcept { return false; }

  template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> c) {
    context& ctx = *c.promise().ctx;
    if (ctx.cancelled()) return false;
    waiting_ = c;
    ctx.cancelling().add(*this);
    Init init = std::move(init_);  // *this may be gone before the initiation returns
    Args args = std::move(args_);
    initiation started(this);
    std::apply([&](auto&&... a) { std::move(init)(handler(*this, ctx), std::move(a)...); }, std::move(args));
    return !started.completed();
  }

  auto await_resume() {
    if (!result_) throw_cancelled();
    return unpack(std::index_sequence_for<A...>());
  }

private:
  class handler {
  public:
    using executor_type = boost::asio::any_io_executor;
    using cancellation_slot_type = boost::asio::cancellation_slot;
    handler(asio_operation& op, context& ctx) noexcept : op_(&op), executor_(&ctx.environment().executor()), home_(ctx.nursery()) {}
    handler(handler&&) noexcept = default;
    handler& operator=(handler&&) noexcept = default;
    ~handler() {
      if (home_) home_->abandon();
    }
    executor_type const& get_executor() const noexcept { return *executor_; }
    cancellation_slot_type get_cancellation_slot() const noexcept { return op_->signal_.slot(); }
    void operator()(A... a) {
      nursery_ref const home = std::move(home_);
      if (home->dead()) return;
      op_->unlink();
      op_->result_.emplace(std::move(a)...);
      if (!initiation::complete_inline(op_)) drive(op_->waiting_);
    }

  private:
    asio_operation* op_;
    executor_type const* executor_;
    nursery_ref home_;
  };

  void on_cancel() noexcept override { signal_.emit(boost::asio::cancellation_type::terminal); }

  template <class First> static constexpr bool is_failure =
      std::is_same_v<First, boost::system::error_code> || std::is_same_v<First, std::exception_ptr>;

  template <std::size_t... I> auto unpack(std::index_sequence<I...>) {
    if constexpr (sizeof...(A) != 0) {
      using first_type = std::tuple_element_t<0, std::tuple<std::decay_t<A>...>>;
      if constexpr (is_failure<first_type>) {
        first_type const& first = std::get<0>(*result_);
        if (first) {
          if constexpr (std::is_same_v<first_type, std::exception_ptr>) std::rethrow_exception(first);
          else throw_code(first);
        }
        return rest(std::make_index_sequence<sizeof...(A) - 1>(), std::integral_constant<std::size_t, 1>());
      } else {
        return rest(std::make_index_sequence<sizeof...(A)>(), std::integral_constant<std::size_t, 0>());
      }
    }
  }
  template <std::size_t... I, std::size_t From> auto rest(std::index_sequence<I...>, std::integral_constant<std::size_t, From>) {
    if constexpr (sizeof...(I) == 1) return std::move(std::get<From>(*result_));
    else if constexpr (sizeof...(I) > 1) return std::tuple(std::move(std::get<From + I>(*result_))...);
  }

  Init init_;
  Args args_;
  std::optional<std::tuple<std::decay_t<A>...>> result_;
  std::coroutine_handle<> waiting_;
  boost::asio::cancellation_signal signal_;
};

}  // namespace detail
}  // namespace weir

template <class R, class... A> class boost::asio::async_result<weir::use_t, R(A...)> {
public:
  template <class Init, class... Args> static auto initiate(Init&& init, weir::use_t, Args&&... args) {
    using held = std::tuple<std::decay_t<Args>...>;
    return weir::detail::asio_operation<std::decay_t<Init>, held, A...>(std::forward<Init>(init), held(std::forward<Args>(args)...));
  }
};
