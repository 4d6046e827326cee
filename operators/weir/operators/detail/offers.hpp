#pragma once
#include <weir/operators/detail/beside.hpp>
#include <weir/operators/detail/ring.hpp>
#include <weir/stream.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

namespace weir::detail {

// A chunk of one of the inputs, which a feeder has pulled and keeps until the consumer is done with it.
template <class T> struct offer {
  offer() = default;
  offer(chunk<T> c, std::size_t i, std::coroutine_handle<> f) noexcept : elements(c), input(i), feeder(f) {}
  chunk<T> elements;
  std::size_t input = 0;
  std::coroutine_handle<> feeder;
};

// Each input has a feeder that offers one chunk at a time and waits until the consumer is done with it. Offers queue, so inputs take
// turns, and nothing is copied.
template <class T> class offers : public beside {
public:
  explicit offers(context& caller) noexcept : beside(caller) {}

  // `co_await s.offering(c, input)` in a feeder: until the consumer has asked for more. Not ended by cancellation, as the chunk is in use.
  class offering_awaiter {
  public:
    offering_awaiter(offers& to, chunk<T> c, std::size_t input) noexcept : to_(&to), chunk_(c), input_(input) {}
    bool await_ready() const noexcept { return to_->cancelled(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) {
      offers& to = *to_;
      to.queue_.push(offer<T>(chunk_, input_, h));
      return to.next_to_run();
    }
    void await_resume() const {
      if (to_->cancelled()) throw_cancelled();
    }

  private:
    offers* to_;
    chunk<T> chunk_;
    std::size_t input_;
  };
  offering_awaiter offering(chunk<T> c, std::size_t input = 0) noexcept { return offering_awaiter(*this, c, input); }

  // An input has failed: the others are ended, what they offered before is still delivered.
  void failed(std::exception_ptr why) noexcept {
    if (failure) return;
    failure = std::move(why);
    all().cancel();
  }
  // The next chunk becomes the one the consumer looks at. False: there is none.
  bool take(offer<T>& next) {
    if (queue_.empty()) return false;
    next = queue_.pop();
    current_ = next.feeder;
    return true;
  }
  // The consumer is done with it.
  void done() { drive(std::exchange(current_, {})); }

  std::exception_ptr failure;

protected:
  bool offered() const noexcept { return !queue_.empty(); }
  void dropped() noexcept override {
    nursery& home = all().nursery();
    if (running() == 0 || home.dead()) return;
    resume_later(std::exchange(current_, {}), home);
    while (!queue_.empty()) resume_later(queue_.pop().feeder, home);
  }

private:
  ring<offer<T>> queue_;
  std::coroutine_handle<> current_;
};

}  // namespace weir::detail
