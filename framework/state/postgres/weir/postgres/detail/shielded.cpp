#include <weir/postgres/detail/shielded.hpp>

#include <weir/spawn.hpp>

namespace weir::postgres::detail {

// As of an Asio operation: destroyed without having run, the event loop is gone.
class shielded::handler {
public:
  handler(shielded& of, weir::detail::nursery& home) noexcept : of_(&of), home_(home) {}
  handler(handler&&) noexcept = default;
  handler& operator=(handler&&) noexcept = default;
  ~handler() {
    if (home_) home_->abandon();
  }
  void operator()(std::exception_ptr failure) {
    weir::detail::nursery_ref const home = std::move(home_);
    if (home->dead()) return;
    of_->failure_ = std::move(failure);
    weir::detail::drive(of_->waiting_);
  }

private:
  shielded* of_;
  weir::detail::nursery_ref home_;
};

void shielded::begin(std::coroutine_handle<> h, context& own) {
  waiting_ = h;
  task<> work = std::move(work_);
  spawn(own.environment().executor(), std::move(work), handler(*this, own.nursery()));
}

}  // namespace weir::postgres::detail
