#pragma once
#include <weir/cancellation.hpp>
#include <weir/detail/frame_pool.hpp>
#include <weir/detail/transfer.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace weir {
class context;
class environment;

namespace detail {

class nursery;

struct promise_base {
  context* ctx = nullptr;
};

// Keeps a nursery alive. Not atomic: a nursery belongs to one strand.
class nursery_ref {
public:
  nursery_ref() = default;
  explicit nursery_ref(nursery& n) noexcept;
  nursery_ref(nursery_ref&& o) noexcept : n_(std::exchange(o.n_, nullptr)) {}
  nursery_ref& operator=(nursery_ref&& o) noexcept {
    std::swap(n_, o.n_);
    return *this;
  }
  ~nursery_ref();
  nursery* get() const noexcept { return n_; }
  nursery* operator->() const noexcept { return n_; }
  explicit operator bool() const noexcept { return n_ != nullptr; }

private:
  nursery* n_ = nullptr;
};

// A coroutine nobody awaits: the main one of a spawn, or one that runs beside it (a feeder, a branch of when_all). It owns its
// frame, has a context of its own and is a member of its nursery from start to end.
struct root {
  struct promise_type;
  using handle = std::coroutine_handle<promise_type>;
  explicit root(handle frame) noexcept : h(frame) {}
  handle h;
};

// All coroutines of one spawn. The main one joins the others before it completes, so that nothing resumes after its end.
// When the event loop is destroyed with an operation pending, the operation's handler says so by abandon(): every frame is
// destroyed then, as nobody is left to resume it.
class nursery {
public:
  explicit nursery(environment& e) noexcept : environment_(&e) {}
  nursery(environment& e, std::shared_ptr<void> owned) noexcept : environment_(&e), owned_(std::move(owned)) {}
  nursery(nursery const&) = delete;
  nursery& operator=(nursery const&) = delete;
  ~nursery() = default;

  environment& env() const noexcept { return *environment_; }
  bool dead() const noexcept { return dead_; }
  /// Of those that this one is inside of (`joined`), the one around all: it lasts longest. Itself, when it is inside of none.
  nursery& outermost() noexcept { return around_ ? around_->outermost() : *this; }
  /// The main coroutine's context: parent of everything that runs beside it.
  context& main() const noexcept { return *main_; }

  /// Starts the main coroutine (deferred to the event loop) or one beside it (at once, up to its first wait).
  /// Takes the caller's reference along: another thread may run the coroutine, and end it, before this returns.
  static void start_main(nursery_ref home, root r);
  /// The same, but whoever calls resumes it, and ends it where it is suspended. `parent`: a context of another nursery, or null.
  void adopt_main(root r, context* parent = nullptr) noexcept;
  void dismiss(root::handle main) noexcept;
  void start(root r, context& parent);

  void enter(root::promise_type& p) noexcept;
  /// Returns whom to resume: the main coroutine when it waits for this one as the last.
  std::coroutine_handle<> leave(root::promise_type& p) noexcept;

  /// `co_await n.join()` in the main coroutine: until it is the only one left.
  class joining {
  public:
    explicit joining(nursery& n) noexcept : n_(&n) {}
    bool await_ready() const noexcept { return n_->count_ <= 1; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { n_->joiner_ = h; }
    void await_resume() const noexcept {}

  private:
    nursery* n_;
  };
  joining join() noexcept {
    let_go();
    return joining(*this);
  }

  /// Keeps something until the main coroutine waits for the others, so that what it has running beside can end by then. If it does
  /// already, or all are dead: not at all.
  void keep(std::shared_ptr<void> something);

  void abandon() noexcept;

private:
  friend class nursery_ref;
  void let_go() noexcept;

  environment* environment_;
  std::shared_ptr<void> owned_;
  nursery* around_ = nullptr;
  std::vector<std::shared_ptr<void>> kept_;
  context* main_ = nullptr;
  root::promise_type* first_ = nullptr;
  std::coroutine_handle<> joiner_;
  std::size_t refs_ = 0, count_ = 0;
  bool dead_ = false, joined_ = false;
};

inline nursery_ref::nursery_ref(nursery& n) noexcept : n_(&n) { ++n.refs_; }
inline nursery_ref::~nursery_ref() {
  if (n_ && --n_->refs_ == 0) delete n_;
}

// A coroutine to resume from the event loop. Destroyed without having run, it abandons its nursery.
class resumption {
public:
  resumption(std::coroutine_handle<> h, nursery& home) noexcept : h_(h), home_(home) {}
  resumption(std::coroutine_handle<> h, nursery_ref home) noexcept : h_(h), home_(std::move(home)) {}
  resumption(resumption&&) noexcept = default;
  resumption& operator=(resumption&&) noexcept = default;
  ~resumption() {
    if (home_) home_->abandon();
  }
  void operator()() {
    nursery_ref const home = std::move(home_);
    if (!home->dead()) drive(h_);
  }

private:
  std::coroutine_handle<> h_;
  nursery_ref home_;
};

}  // namespace detail
}  // namespace weir
