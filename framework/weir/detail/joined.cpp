#include <weir/detail/joined.hpp>

#include <coroutine>
#include <exception>
#include <utility>

namespace weir::detail {
namespace {

// Between the two nurseries; lives in the frame of who waits.
struct junction {
  explicit junction(nursery& n) noexcept : outer(n) {}
  nursery& outer;
  std::coroutine_handle<> waiting;
  std::exception_ptr failure;
  bool done = false;
};

// The event loop is destroyed: who waits for the inner nursery goes with it ...
class needed_outside {
public:
  explicit needed_outside(junction& j) noexcept : junction_(j) {}
  needed_outside(needed_outside const&) = delete;
  needed_outside& operator=(needed_outside const&) = delete;
  ~needed_outside() {
    if (!junction_.done) junction_.outer.abandon();
  }

private:
  junction& junction_;
};

// ... and the other way round.
class inner_nursery {
public:
  explicit inner_nursery(junction& j) : junction_(j), home_(*new nursery(j.outer.env())) {}
  inner_nursery(inner_nursery const&) = delete;
  inner_nursery& operator=(inner_nursery const&) = delete;
  ~inner_nursery() {
    if (!junction_.done) home_->abandon();
  }
  nursery& operator*() const noexcept { return *home_.get(); }

private:
  junction& junction_;
  nursery_ref home_;
};

root run_inside(task<> work, junction& j) {
  needed_outside const both(j);
  context const& own = co_await current_context();
  try {
    task<> running = std::move(work);  // what it has kept goes before the join
    co_await std::move(running);
  } catch (...) {
    j.failure = std::current_exception();
  }
  co_await own.nursery().join();
  j.done = true;
  j.outer.env().post(resumption(j.waiting, j.outer));
}

class running_inside {
public:
  running_inside(root r, junction& j) noexcept : root_(r), junction_(&j) {}
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) const noexcept {
    junction_->waiting = h;
    return transfer(root_.h);
  }
  void await_resume() const {
    if (junction_->failure) std::rethrow_exception(std::exchange(junction_->failure, {}));
  }

private:
  root root_;
  junction* junction_;
};

}  // namespace

task<> joined(task<> work) {
  context& own = co_await current_context();
  junction j(own.nursery());
  inner_nursery const inside(j);
  root const r = run_inside(std::move(work), j);
  (*inside).adopt_main(r, &own);
  co_await running_inside(r, j);
}

}  // namespace weir::detail
