#pragma once
#include <weir/cancellation.hpp>
#include <weir/context.hpp>

#include <concepts>
#include <coroutine>
#include <vector>

namespace weir::detail {

// Coroutines of one strand that wait until somebody wakes them all, or they are cancelled: `co_await list.wait()` throws errc::cancelled
// then. It outlives them.
class wait_list {
public:
  class waiting final : private cancellation_callback {
  public:
    explicit waiting(wait_list& l) noexcept : list_(&l) {}
    ~waiting();
    bool await_ready() const noexcept { return false; }
    template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) { return begin(*h.promise().ctx, h); }
    void await_resume() const {
      if (cancelled_) throw_cancelled();
    }
    // False: it is cancelled already, and does not wait.
    bool begin(context& ctx, std::coroutine_handle<> h);

  private:
    friend class wait_list;
    void go_on();
    void on_cancel() noexcept override;
    wait_list* list_;
    context* ctx_ = nullptr;
    std::coroutine_handle<> handle_;
    bool listed_ = false, cancelled_ = false;
  };

  wait_list() = default;
  wait_list(wait_list const&) = delete;
  wait_list& operator=(wait_list const&) = delete;
  waiting wait() noexcept { return waiting(*this); }
  // By way of the event loop.
  void wake();

private:
  std::vector<waiting*> all_;
};

}  // namespace weir::detail
