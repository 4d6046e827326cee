#include <weir/detail/wait_list.hpp>

#include <utility>

namespace weir::detail {

wait_list::waiting::~waiting() {
  if (listed_) std::erase(list_->all_, this);
}

bool wait_list::waiting::begin(context& ctx, std::coroutine_handle<> h) {
  cancelled_ = ctx.cancelled();
  if (cancelled_) return false;
  ctx_ = &ctx;
  handle_ = h;
  list_->all_.push_back(this);
  listed_ = true;
  ctx.cancelling().add(*this);
  return true;
}

void wait_list::waiting::go_on() {
  listed_ = false;
  unlink();
  ctx_->environment().post(resumption(handle_, ctx_->nursery()));
}

void wait_list::waiting::on_cancel() noexcept {
  cancelled_ = true;
  std::erase(list_->all_, this);
  go_on();
}

void wait_list::wake() {
  for (waiting* const w : std::exchange(all_, {})) w->go_on();
}

}  // namespace weir::detail
