#include "bar_keeper.hpp"

#include "bar_event.hpp"

#include <utility>

namespace ticks {
namespace {

constexpr std::size_t portion = 1'000;  // events handled together where there may be many

}  // namespace

bar_keeper::bar_keeper(bar_store& store, command_line::line_file* events) : store_(store), events_(events) {
  if (!events_) return;
  for (;;) {
    decided_ = store_.pending_events(portion);
    if (decided_.empty()) return;
    announce();
    in_transaction([] {});
  }
}

template <class Function> void bar_keeper::in_transaction(Function change) {
  try {
    store_.begin();
    for (auto const& event : sent_) store_.forget_event(event.key, event.revision);
    change();
    store_.commit();
  } catch (...) {
    store_.rollback();
    decided_.clear();
    throw;
  }
  sent_.clear();
}

void bar_keeper::announce() {
  if (!events_) return;
  for (auto const& event : decided_) events_->add(event.line);
  events_->flush();
  if (sent_.empty()) sent_.swap(decided_);
  else sent_.insert(sent_.end(), decided_.begin(), decided_.end());
  decided_.clear();
}

void bar_keeper::store(std::span<closed_bar const> bars) {
  std::uint64_t closed = 0;
  in_transaction([&] {
    for (closed_bar const& b : bars) {
      auto const now = store_.put(b);
      if (!now || b.pane == weir::pane::early) continue;
      ++closed;
      if (!events_) continue;
      bar_key const key{b.key, b.window.start};
      decided_.push_back(pending_event{key, now->revision, closed_event(key.name, b.window, now->value, now->revision)});
      store_.remember_event(decided_.back());
    }
  });
  closed_ += closed;
  announce();
}

void bar_keeper::settle() {
  if (!sent_.empty()) in_transaction([] {});
}

}  // namespace ticks
