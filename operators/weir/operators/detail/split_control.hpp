#pragma once
#include <weir/barrier.hpp>
#include <weir/clock.hpp>
#include <weir/context.hpp>
#include <weir/detail/lineage.hpp>
#include <weir/mark.hpp>
#include <weir/operators/split_options.hpp>

#include <array>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>

// What of a split does not depend on the element type: who may read, who waits, and the checkpoints on their way through both halves.
namespace weir::detail {

class split_control;
class split_wait;

// A checkpoint for each half; done when both are. Their states become two parts of the whole one's, which owns this.
class split_barrier {
public:
  split_barrier(barrier& whole, split_control& of);
  barrier& operator[](std::size_t n) noexcept { return halves_[n]; }
  bool completed() const noexcept { return halves_[0].completed() && halves_[1].completed(); }
  // The split is gone, and nobody waits there.
  void leave() noexcept { of_ = nullptr; }

private:
  class half final : public barrier {
  public:
    half(split_barrier& b, std::size_t n);
    void hold(bool held) override;

  private:
    void on_complete() noexcept override { both_.half_completed(); }
    split_barrier& both_;
    std::size_t n_;
  };
  void half_completed() noexcept;
  barrier& whole_;
  split_control* of_;
  std::array<half, 2> halves_;
};

class split_control {
public:
  split_control(split_options o, lineage of_source);
  split_control(split_control const&) = delete;
  split_control& operator=(split_control const&) = delete;

  void add_lineage(std::size_t half, lineage& l) const;
  void asked_by(std::size_t half, void* consumer) noexcept { halves_[half].consumer = consumer; }
  // True: ended, and nothing waits. Throws the failure there was, or that of a half which was left alone.
  bool over(std::size_t half);
  bool may_read(std::size_t half) const noexcept { return !reading_ && !full(other(half)); }
  void begin_reading() noexcept { reading_ = true; }
  void end_reading(std::size_t by) noexcept {
    reading_ = false;
    wake(other(by));
  }
  void end() noexcept { ended_ = true; }
  void fail(std::exception_ptr why) noexcept { failure_ = std::move(why); }
  // The half's stream is destroyed.
  void drop(std::size_t half) noexcept;
  [[noreturn]] void throw_stalled(std::size_t half) const;
  // A merge keeps the half where it is, until the other one has come as far.
  void hold(std::size_t half, bool held);
  // Of the halves of a barrier, or a restored state, that has this one; 0: none.
  std::uint64_t family_behind(std::uint64_t of_whole) const noexcept { return of_whole ? of_whole : family_; }

protected:
  ~split_control();
  bool gone(std::size_t half) const noexcept { return halves_[half].gone; }
  void arrived(std::size_t half) noexcept { ++halves_[half].waiting; }
  void taken(std::size_t half, std::size_t elements) noexcept {
    halves_[half].waiting -= elements;
    wake(other(half));
  }
  // What the half is to see of a mark of the source's.
  std::optional<mark> for_half(mark const& m, std::size_t half);

private:
  friend class split_wait;
  struct half_state {
    std::size_t waiting = 0;   // elements
    void* consumer = nullptr;  // who asked last; null: nobody so far
    split_wait* asleep = nullptr;
    bool gone = false, held = false;
  };
  static std::size_t other(std::size_t half) noexcept { return 1 - half; }
  bool full(std::size_t half) const noexcept { return !gone(half) && halves_[half].waiting >= options_.capacity; }
  // Nobody who could make room is known, or whoever could waits for the one who asks.
  bool nobody_at(std::size_t half, void* but) const noexcept {
    half_state const& h = halves_[half];
    return h.held || !h.consumer || h.consumer == but;
  }
  void wake(std::size_t half) noexcept;
  virtual void forget(std::size_t half) noexcept = 0;

  split_options options_;
  std::uint64_t const family_ = lineage::new_family();
  lineage lineage_;
  std::array<half_state, 2> halves_;
  std::deque<std::shared_ptr<split_barrier>> barriers_;  // those under way
  std::exception_ptr failure_;
  bool reading_ = false, ended_ = false;
};

// Until the other half has read or made room. False: nobody who could do so has shown up in `patience`. Throws `errc::cancelled`.
class split_wait final : private timer, private cancellation_callback {
public:
  split_wait(split_control& c, std::size_t half) noexcept : control_(c), half_(half) {}
  split_wait(split_wait const&) = delete;
  split_wait& operator=(split_wait const&) = delete;
  ~split_wait();
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) { return begin(*h.promise().ctx, h); }
  bool await_resume() const {
    if (cancelled_) throw_cancelled();
    return !stalled_;
  }
  void wake() noexcept;
  // From here on it may be for ever.
  void begin_patience();

private:
  bool begin(context& ctx, std::coroutine_handle<> h);
  void fire() noexcept override;
  void lost() noexcept override;
  void on_cancel() noexcept override;

  split_control& control_;
  std::size_t half_;
  context* ctx_ = nullptr;
  std::coroutine_handle<> waiting_;
  bool cancelled_ = false, stalled_ = false;
};

}  // namespace weir::detail
