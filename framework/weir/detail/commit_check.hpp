#pragma once
#include <weir/state_store.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace weir::detail {

// What a store does with a commit, by what it has.
enum class commit_verdict : std::uint8_t {
  apply,    // it builds on what is stored
  arrived,  // it is what is stored
};

// `stored`: null when the store has no checkpoint of `key`. Throws errc::stale, in the same words for all stores.
commit_verdict judge_commit(checkpoint_key const& key, checkpoint_update const& offered, checkpoint_head const* stored);

[[noreturn]] void throw_foreign_write(checkpoint_key const& key);

// The writes of an update as those that `store` can do. Throws errc::misuse when there are others.
template <class Write> std::vector<std::shared_ptr<Write>> writes_for(state_store const& store, checkpoint_key const& key,
                                                                      checkpoint_update const& u) {
  std::vector<std::shared_ptr<Write>> mine;
  mine.reserve(u.writes.size());
  for (std::shared_ptr<store_write> const& w : u.writes) {
    auto known = std::dynamic_pointer_cast<Write>(w);
    if (!known || &w->store() != &store) throw_foreign_write(key);
    mine.push_back(std::move(known));
  }
  return mine;
}
// For a store that has none.
inline void refuse_writes(checkpoint_key const& key, checkpoint_update const& u) {
  if (!u.writes.empty()) throw_foreign_write(key);
}

}  // namespace weir::detail
