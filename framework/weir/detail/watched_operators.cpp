#include <weir/detail/watched_operators.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace weir::detail {
namespace {

// An operator that was handed over has begun its books anew.
std::uint64_t grown(std::uint64_t now, std::uint64_t told) noexcept { return now < told ? now : now - told; }

}  // namespace

void note_open_windows(operator_sight& in, std::size_t before, std::string_view name) {
  if (in.time.windows.size() == before) return;
  std::size_t open = 0;
  for (std::size_t i = before; i != in.time.windows.size(); ++i)
    if (!in.time.windows[i].fired) open += in.time.windows[i].windows;
  in.open.emplace_back(name, open);
}

void watched_operators::entry::enter(watched_operators* in, void const* self, function look) {
  if (list_ == in) return;
  leave();
  if (!in) return;
  self_ = self;
  look_ = look;
  list_ = in;
  next_ = std::exchange(in->first_, this);
  if (next_) next_->previous_ = this;
}

void watched_operators::entry::went_on() {
  if (!list_) return;
  operator_sight sight;
  look_(self_, sight);
  told_.clear();
  for (auto const& [name, t] : sight.books) told_.push_back(t);
}

void watched_operators::entry::leave() noexcept {
  if (!list_) return;
  try {
    operator_sight last;
    look_(self_, last);
    add_news(list_->news_, last);
  } catch (...) {  // no memory: the last counts are not told
    told_.clear();
  }
  (previous_ ? previous_->next_ : list_->first_) = next_;
  if (next_) next_->previous_ = previous_;
  list_ = nullptr;
  previous_ = next_ = nullptr;
}

void watched_operators::entry::add_news(std::map<std::string, tally, std::less<>>& to, operator_sight const& from) {
  told_.resize(from.books.size());
  for (std::size_t i = 0; i != from.books.size(); ++i) {
    auto const& [name, now] = from.books[i];
    tally& told = told_[i];
    tally& news = to[name];
    news.late += grown(now.late, told.late);
    news.duplicate += grown(now.duplicate, told.duplicate);
    news.dead += grown(now.dead, told.dead);
    told = now;
  }
}

watched_operators::~watched_operators() {
  while (first_) first_->leave();
}

operator_sight watched_operators::look() {
  operator_sight all;
  for (entry* e = first_; e; e = e->next_) {
    operator_sight sight;
    e->look_(e->self_, sight);
    e->add_news(news_, sight);
    std::ranges::move(sight.time.partitions, std::back_inserter(all.time.partitions));
    std::ranges::move(sight.time.windows, std::back_inserter(all.time.windows));
    std::ranges::move(sight.open, std::back_inserter(all.open));
  }
  return all;
}

}  // namespace weir::detail
