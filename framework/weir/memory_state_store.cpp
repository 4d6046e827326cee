#include <weir/memory_state_store.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/memory_write.hpp>

#include <utility>

namespace weir {

task<std::optional<saved_checkpoint>> memory_state_store::load(checkpoint_key key) {
  std::lock_guard const held(lock_);
  auto const found = kept_.find(key);
  if (found == kept_.end()) co_return std::nullopt;
  saved_checkpoint out(found->second.head);
  out.entries.reserve(found->second.entries.size());
  for (auto const& [at, value] : found->second.entries) out.entries.emplace_back(at.first, at.second, value);
  co_return out;
}

task<> memory_state_store::commit(checkpoint_key key, checkpoint_update update) {
  auto const writes = detail::writes_for<memory_write>(*this, key, update);
  std::lock_guard const held(lock_);
  auto found = kept_.find(key);
  checkpoint_head const* const stored = found == kept_.end() ? nullptr : &found->second.head;
  if (detail::judge_commit(key, update, stored) == detail::commit_verdict::arrived) co_return;
  kept& k = found == kept_.end() ? kept_[std::move(key)] : found->second;
  for (state_change& c : update.changes) {
    std::pair at(std::move(c.entry.operator_id), std::move(c.entry.key));
    switch (c.kind) {
      case state_change_kind::put: k.entries.insert_or_assign(std::move(at), std::move(c.entry.value)); break;
      case state_change_kind::erase: k.entries.erase(at); break;
      case state_change_kind::erase_prefix:
        for (auto i = k.entries.lower_bound(at);
             i != k.entries.end() && i->first.first == at.first && i->first.second.starts_with(at.second);)
          i = k.entries.erase(i);
        break;
    }
  }
  k.head = std::move(update.head);
  for (auto const& w : writes) w->apply();
}

task<std::vector<checkpoint_listing>> memory_state_store::list(std::string pipeline) {
  std::lock_guard const held(lock_);
  std::vector<checkpoint_listing> out;
  for (auto at = kept_.lower_bound(checkpoint_key(pipeline, "", "")); at != kept_.end() && at->first.pipeline == pipeline; ++at) {
    std::uint64_t bytes = 0;
    for (auto const& [name, value] : at->second.entries) bytes += name.first.size() + name.second.size() + value.size();
    out.emplace_back(at->first, at->second.head, at->second.entries.size(), bytes);
  }
  co_return out;
}

task<std::vector<checkpoint_key>> memory_state_store::keys() {
  std::lock_guard const held(lock_);
  std::vector<checkpoint_key> out;
  out.reserve(kept_.size());
  for (auto const& [key, checkpoint] : kept_) out.push_back(key);
  co_return out;
}

std::optional<std::vector<std::byte>> memory_state_store::read(checkpoint_key const& of, std::string_view operator_id,
                                                               std::string_view key) {
  std::lock_guard const held(lock_);
  auto const found = kept_.find(of);
  if (found == kept_.end()) return std::nullopt;
  auto const& entries = found->second.entries;
  auto const at = entries.find(std::pair(std::string(operator_id), std::string(key)));
  if (at == entries.end()) return std::nullopt;
  return at->second;
}

void memory_state_store::each(checkpoint_key const& of, std::string_view operator_id,
                              std::function<void(std::string_view, std::span<std::byte const>)> const& f) {
  std::lock_guard const held(lock_);
  auto const found = kept_.find(of);
  if (found == kept_.end()) return;
  auto const& entries = found->second.entries;
  for (auto at = entries.lower_bound(std::pair(std::string(operator_id), std::string()));
       at != entries.end() && at->first.first == operator_id; ++at)
    f(at->first.second, at->second);
}

task<> memory_state_store::erase(checkpoint_key key) {
  std::lock_guard const held(lock_);
  kept_.erase(key);
  co_return;
}

}  // namespace weir
