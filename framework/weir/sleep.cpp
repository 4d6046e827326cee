#include <weir/sleep.hpp>

namespace weir::detail {

bool sleeping::begin(context& ctx, std::coroutine_handle<> h) {
  cancelled_ = ctx.cancelled();
  if (cancelled_) return false;
  ctx_ = &ctx;
  waiting_ = h;
  ctx.clock().start(*this, delay_);
  ctx.cancelling().add(*this);
  return true;
}

void sleeping::fire() noexcept {
  unlink();
  drive(waiting_);
}

void sleeping::lost() noexcept { ctx_->nursery().abandon(); }

void sleeping::on_cancel() noexcept {
  cancelled_ = true;
  ctx_->clock().stop(*this);
  ctx_->environment().post(resumption(waiting_, ctx_->nursery()));
}

}  // namespace weir::detail
