#include <weir/context.hpp>
#include <weir/detail/nursery.hpp>
#include <weir/environment.hpp>

#include <utility>

namespace weir::detail {

void nursery::enter(root::promise_type& p) noexcept {
  p.home = nursery_ref(*this);
  p.ctx = &p.own;
  p.next = first_;
  if (first_) first_->previous = &p;
  first_ = &p;
  ++count_;
}

std::coroutine_handle<> nursery::leave(root::promise_type& p) noexcept {
  if (p.previous) p.previous->next = p.next;
  else if (first_ == &p) first_ = p.next;
  if (p.next) p.next->previous = p.previous;
  if (--count_ == 1) return std::exchange(joiner_, {});
  return {};
}

void nursery::adopt_main(root r, context* parent) noexcept {
  root::promise_type& p = r.h.promise();
  enter(p);
  p.own.attach(*this, parent);
  main_ = &p.own;
}

void nursery::start_main(nursery_ref home, root r) {
  environment& env = home->env();
  home->adopt_main(r);
  resumption first(r.h, std::move(home));
  env.post(std::move(first));
}

void nursery::dismiss(root::handle main) noexcept {
  nursery_ref const home = std::move(main.promise().home);
  main.promise().own.cancel();
  (void)leave(main.promise());
  main.destroy();
}

void nursery::start(root r, context& parent) {
  root::promise_type& p = r.h.promise();
  enter(p);
  p.own.attach(*this, &parent);
  drive(r.h);
}

void nursery::abandon() noexcept {
  if (dead_) return;
  dead_ = true;
  nursery_ref const keep(*this);
  // The newest first: what runs beside the main coroutine was started by it and looks into its frames.
  while (root::promise_type* const p = first_) {
    nursery_ref const home = std::move(p->home);
    (void)leave(*p);
    root::handle::from_promise(*p).destroy();
  }
}

}  // namespace weir::detail
