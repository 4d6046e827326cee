#include "bar_keeper.hpp"

#include "bar_event.hpp"

#include <utility>

namespace ticks {
namespace {

constexpr std::size_t portion = 1'000;  // rows handled together where there may be many

}  // namespace

bar_keeper::bar_keeper(bar_store& store, std::int64_t window, line_file* events)
    : store_(store), window_(window), events_(events), book_(window, store) {
  if (!events_) return;
  for (;;) {
    decided_ = store_.pending_events(portion);
    if (decided_.empty()) return;
    announce();
    in_transaction([] {});
  }
}

// Memory and store must agree again when anything fails.
template <class Function> void bar_keeper::in_transaction(Function change) {
  try {
    store_.begin();
    for (auto const& event : sent_) store_.forget_event(event.key, event.revision);
    change();
    store_.commit();
  } catch (...) {
    store_.rollback();
    book_.forget();
    decided_.clear();
    throw;
  }
  sent_.clear();
}

void bar_keeper::stage(bar_key const& key, bar_state const& state, bool closed) {
  store_.put(key, state);
  if (!closed) return;
  ++figures_.closed;
  if (!events_) return;
  decided_.push_back(pending_event{key, state.revision, closed_event(key.name, key.start, window_, state)});
  store_.remember_event(decided_.back());
}

void bar_keeper::announce() {
  if (!events_) return;
  for (auto const& event : decided_) events_->add(event.line);
  events_->flush();
  if (sent_.empty()) sent_.swap(decided_);
  else sent_.insert(sent_.end(), decided_.begin(), decided_.end());
  decided_.clear();
}

void bar_keeper::commit() {
  in_transaction([this] {
    book_.collect(
        [this](symbol const& name, std::int64_t start, bar_state& state, bool closed) { stage(bar_key{name, start}, state, closed); });
  });
  book_.stored();
  announce();
}

void bar_keeper::settle() {
  if (!sent_.empty()) in_transaction([] {});
}

void bar_keeper::finish() {
  book_.forget();  // what it knows of open bars is about to change
  for (;;) {
    auto const keys = store_.open_bars(portion);
    if (keys.empty() && sent_.empty()) return;
    in_transaction([&] {
      for (auto const& key : keys) {
        auto state = store_.find(key.name, key.start);
        state->open = false;
        ++state->revision;
        stage(key, *state, true);
      }
    });
    announce();
  }
}

}  // namespace ticks
