#include <weir/detail/memory_account.hpp>

#include <utility>

namespace weir::detail {

void memory_account::entry::enter(memory_account* in, std::string_view name, holding what) {
  if (account_ == in) return;
  leave();
  if (!in) return;
  name_ = name;
  what_ = what;
  account_ = in;
  next_ = std::exchange(in->first_, this);
  if (next_) next_->previous_ = this;
}

void memory_account::entry::leave() noexcept {
  if (!account_) return;
  set(0);
  (previous_ ? previous_->next_ : account_->first_) = next_;
  if (next_) next_->previous_ = previous_;
  account_ = nullptr;
  previous_ = next_ = nullptr;
}

memory_account::~memory_account() {
  while (first_) first_->leave();
}

}  // namespace weir::detail
