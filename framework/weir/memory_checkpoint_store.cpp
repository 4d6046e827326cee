#include <weir/memory_checkpoint_store.hpp>

#include <weir/detail/stale_checkpoint.hpp>

#include <utility>

namespace weir {

task<std::optional<saved_checkpoint>> memory_checkpoint_store::load(checkpoint_key key) {
  std::lock_guard const held(lock_);
  auto const found = saved_.find(key);
  if (found == saved_.end()) co_return std::nullopt;
  co_return found->second;
}

task<> memory_checkpoint_store::save(checkpoint_key key, saved_checkpoint checkpoint) {
  std::lock_guard const held(lock_);
  auto const [at, fresh] = saved_.try_emplace(std::move(key), checkpoint);
  if (fresh) co_return;
  if (checkpoint.position < at->second.position) detail::throw_stale(at->first, checkpoint.position, at->second.position);
  at->second = std::move(checkpoint);
}

task<std::vector<checkpoint_entry>> memory_checkpoint_store::list(std::string pipeline) {
  std::lock_guard const held(lock_);
  std::vector<checkpoint_entry> out;
  for (auto at = saved_.lower_bound(checkpoint_key(pipeline, "", "")); at != saved_.end() && at->first.pipeline == pipeline; ++at)
    out.emplace_back(at->first, at->second);
  co_return out;
}

task<> memory_checkpoint_store::erase(checkpoint_key key) {
  std::lock_guard const held(lock_);
  saved_.erase(key);
  co_return;
}

}  // namespace weir
