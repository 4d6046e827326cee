#pragma once
#include <utility>

namespace weir {

/// Something that wants to know when a piece of work is cancelled: pending I/O, a timer, a branch. It is linked into the work's
/// list for as long as it lives, without an allocation. `on_cancel` runs once, on the work's strand; it must not resume a
/// coroutine itself but let the event loop do so (complete the I/O, post).
class cancellation_callback {
public:
  cancellation_callback() = default;
  cancellation_callback(cancellation_callback const&) = delete;
  cancellation_callback& operator=(cancellation_callback const&) = delete;
  virtual void on_cancel() noexcept = 0;
  bool linked() const noexcept { return at_ != nullptr; }
  void unlink() noexcept {
    if (!at_) return;
    *at_ = next_;
    if (next_) next_->at_ = at_;
    at_ = nullptr;
  }

protected:
  ~cancellation_callback() { unlink(); }

private:
  friend class cancellation_state;
  cancellation_callback* next_ = nullptr;
  cancellation_callback** at_ = nullptr;  // whoever points to this one; null: not linked
};

/// Whether a piece of work is cancelled, and who wants to hear of it. Not thread-safe: request on the work's strand only.
class cancellation_state {
public:
  cancellation_state() = default;
  cancellation_state(cancellation_state const&) = delete;
  cancellation_state& operator=(cancellation_state const&) = delete;
  ~cancellation_state() {
    while (first_) first_->unlink();
  }
  bool requested() const noexcept { return requested_; }
  void add(cancellation_callback& c) noexcept {
    c.next_ = first_;
    if (first_) first_->at_ = &c.next_;
    first_ = &c;
    c.at_ = &first_;
  }
  void request() noexcept {
    requested_ = true;
    while (cancellation_callback* const c = first_) {
      c->unlink();
      c->on_cancel();
    }
  }

private:
  cancellation_callback* first_ = nullptr;
  bool requested_ = false;
};

/// A handler's view of its own cancellation. Most code never looks at it: I/O and timers that are awaited throw
/// `errc::cancelled` by themselves, and so does the next pull. A long computation asks once per chunk.
///
/// Copyable, one pointer; valid for as long as the handler it was given to runs. Strand only.
class cancellation {
public:
  cancellation() = default;  ///< never cancelled
  explicit cancellation(cancellation_state const& s) noexcept : state_(&s) {}
  bool requested() const noexcept { return state_ && state_->requested(); }
  /// Throws `error` with `errc::cancelled` when cancellation was requested.
  void throw_if_requested() const {
    if (requested()) [[unlikely]]
      raise();
  }

private:
  [[noreturn]] static void raise();
  cancellation_state const* state_ = nullptr;
};

namespace detail {
[[noreturn]] void throw_cancelled();
}

}  // namespace weir
