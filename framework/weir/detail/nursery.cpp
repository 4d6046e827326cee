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
  around_ = parent ? &parent->nursery() : nullptr;
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
  let_go();
  (void)leave(main.promise());
  main.destroy();
}

void nursery::start(root r, context& parent) {
  root::promise_type& p = r.h.promise();
  enter(p);
  p.own.attach(*this, &parent);
  drive(r.h);
}

void nursery::keep(std::shared_ptr<void> something) {
  if (!joined_) kept_.push_back(std::move(something));
}

void nursery::let_go() noexcept {
  joined_ = true;
  std::vector<std::shared_ptr<void>> const going = std::move(kept_);
}

void nursery::abandon() noexcept {
  if (dead_) return;
  dead_ = true;
  nursery_ref const staying(*this);
  let_go();
  // The newest first: what runs beside the main coroutine was started by it and looks into its frames.
  while (root::promise_type* const p = first_) {
    nursery_ref const home = std::move(p->home);
    (void)leave(*p);
    root::handle::from_promise(*p).destroy();
  }
}

}  // namespace weir::detail
