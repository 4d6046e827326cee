#include "bar_keeper.hpp"

#include <iterator>
#include <utility>

namespace ticks {
namespace {

constexpr std::size_t portion = 1'000;  // events handled together where there may be many

}  // namespace

bar_keeper::bar_keeper(bar_store& store, weir::file::line_file* events) noexcept : store_(store), events_(events) {}

weir::task<> bar_keeper::resume() {
  if (!events_) co_return;
  for (;;) {
    std::vector<pending_event> left = co_await store_.pending_events(portion);
    if (left.empty()) co_return;
    announce(std::move(left));
    co_await settle();
  }
}

weir::task<> bar_keeper::store(std::span<closed_bar const> bars) {
  announcing const what = events_ ? announcing::closed : announcing::nothing;
  bar_changes done = co_await store_.store(bars, sent_, what);
  sent_.clear();
  closed_ += done.closed;
  announce(std::move(done.decided));
}

weir::task<> bar_keeper::settle() {
  if (sent_.empty()) co_return;
  std::span<closed_bar const> const no_bars;
  co_await store(no_bars);
}

void bar_keeper::announce(std::vector<pending_event> decided) {
  if (!events_) return;
  for (auto const& event : decided) events_->add(event.line);
  events_->flush();
  sent_.insert(sent_.end(), std::make_move_iterator(decided.begin()), std::make_move_iterator(decided.end()));
}

}  // namespace ticks
