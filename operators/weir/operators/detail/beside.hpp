#pragma once
#include <weir/context.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <utility>

// Operators that wait for two things at once are several coroutines: the generator the consumer pulls (the emitter), and beside
// it feeders, which pull the sources, or tasks. A destructor cannot wait, so what they share outlives an emitter that is dropped: the
// others are cancelled then, and end by themselves while the run's nursery joins them.
namespace weir::detail {

// Resumes from the event loop, for where nothing may be resumed: destructors, cancellation. Nothing where the event loop is gone.
inline void resume_later(std::coroutine_handle<> h, nursery& home) noexcept {
  if (h && !home.dead()) home.env().post(resumption(h, home));
}

class beside {
public:
  explicit beside(context& caller) noexcept : all_(caller.nursery().main()) {}
  beside(beside const&) = delete;
  beside& operator=(beside const&) = delete;
  virtual ~beside() = default;

  // Parent of everything that runs beside the emitter. Not below the emitter's own context, which changes with who pulls.
  context& all() noexcept { return all_; }
  bool cancelled() const noexcept { return all_.cancelled(); }
  std::size_t running() const noexcept { return running_; }
  bool gave_up() const noexcept { return gave_up_; }

  // Starts a coroutine beside the emitter, at once up to its first wait. It calls leave() as the last thing it does.
  void start(root r, context& parent) {
    ++running_;
    parent.nursery().start(r, parent);
  }
  void leave() {
    --running_;
    wake_emitter();
  }

  // There may be something for the emitter.
  void wake_emitter() {
    if (emitter_ && ready()) drive(std::exchange(emitter_, {}));
  }
  // The same for who is about to suspend: whom to resume in its place.
  std::coroutine_handle<> next_to_run() noexcept {
    return emitter_ && ready() ? transfer(std::exchange(emitter_, {})) : std::noop_coroutine();
  }
  // Cancels all that runs. From here on the emitter waits for nothing but their end.
  void give_up() noexcept {
    gave_up_ = true;
    all_.cancel();
  }
  // The emitter is gone.
  void drop() noexcept {
    emitter_ = {};
    all_.cancel();
    dropped();
  }

  // `co_await s.news()` in the emitter: until there is something to hand on, or everything beside it has ended. When the emitter is
  // cancelled: until the others have ended, and gave_up() is true.
  class waiting final : private cancellation_callback {
  public:
    explicit waiting(beside& b) noexcept : beside_(&b) {}
    bool await_ready() const noexcept { return beside_->ready(); }
    template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) noexcept {
      context& ctx = *h.promise().ctx;
      if (ctx.cancelled()) beside_->give_up();
      else ctx.cancelling().add(*this);
      beside_->emitter_ = h;
      return true;
    }
    void await_resume() noexcept { unlink(); }

  private:
    void on_cancel() noexcept override { beside_->give_up(); }
    beside* beside_;
  };
  waiting news() noexcept { return waiting(*this); }

private:
  template <class> friend class strand_ptr;
  virtual bool something_ready() const noexcept = 0;
  virtual void dropped() noexcept {}
  bool ready() const noexcept { return running_ == 0 || (!gave_up_ && something_ready()); }

  context all_;
  std::size_t running_ = 0, refs_ = 0;
  bool gave_up_ = false;
  std::coroutine_handle<> emitter_;
};

// Shared by coroutines of one strand, so without atomics.
template <class S> class strand_ptr {
public:
  explicit strand_ptr(S* s) noexcept : s_(s) { ++s_->refs_; }
  strand_ptr(strand_ptr const& o) noexcept : strand_ptr(o.s_) {}
  strand_ptr(strand_ptr&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
  strand_ptr& operator=(strand_ptr const&) = delete;
  ~strand_ptr() {
    if (s_ && --s_->refs_ == 0) delete s_;
  }
  S* operator->() const noexcept { return s_; }
  S& operator*() const noexcept { return *s_; }

private:
  S* s_;
};

// The emitter's hold on what it shares.
template <class S> class emitter_hold {
public:
  explicit emitter_hold(strand_ptr<S> s) noexcept : s_(std::move(s)) {}
  emitter_hold(emitter_hold const&) = delete;
  emitter_hold& operator=(emitter_hold const&) = delete;
  ~emitter_hold() { s_->drop(); }
  S* operator->() const noexcept { return &*s_; }
  strand_ptr<S> const& share() const noexcept { return s_; }

private:
  strand_ptr<S> s_;
};

// Where a feeder waits until the emitter has taken something. Its cancellation ends the wait.
class parking_place {
public:
  class parked final : private cancellation_callback {
  public:
    explicit parked(parking_place& p) noexcept : place_(&p) {}
    bool await_ready() const noexcept { return false; }
    template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) noexcept {
      ctx_ = h.promise().ctx;
      if (ctx_->cancelled()) return false;
      ctx_->cancelling().add(*this);
      place_->waiting_ = h;
      return true;
    }
    void await_resume() {
      unlink();
      if (ctx_->cancelled()) throw_cancelled();
    }

  private:
    void on_cancel() noexcept override { resume_later(std::exchange(place_->waiting_, {}), ctx_->nursery()); }
    parking_place* place_;
    context* ctx_ = nullptr;
  };
  // Throws `errc::cancelled`.
  parked park() noexcept { return parked(*this); }
  void wake() {
    if (waiting_) drive(std::exchange(waiting_, {}));
  }

private:
  std::coroutine_handle<> waiting_;
};

}  // namespace weir::detail
