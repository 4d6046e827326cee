#include <weir/detail/outlived_state.hpp>

#include <weir/context.hpp>
#include <weir/detail/fence.hpp>
#include <weir/detail/host_entries.hpp>
#include <weir/error.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

// Of those that went before: which have ended and may still have state, the nearest first. The state itself is large, and not looked at.
std::vector<std::string> may_have_state(std::vector<checkpoint_listing> const& all, checkpoint_key const& key, succession const& order) {
  std::vector<std::string> out;
  std::vector<predecessor> left = order.predecessors(key.partition);
  std::vector<std::string> seen;
  for (std::size_t i = 0; i != left.size(); ++i) {
    std::string const partition = left[i].partition;
    if (std::ranges::find(seen, partition) != seen.end()) continue;
    seen.push_back(partition);
    auto const found =
        std::ranges::find_if(all, [&](checkpoint_listing const& c) { return c.key.stream == key.stream && c.key.partition == partition; });
    if (found == all.end() || found->entries == 0) continue;
    std::optional<position> const end = order.end_of(partition);
    if (end && found->head.position >= *end) out.push_back(partition);
    std::ranges::move(order.predecessors(partition), std::back_inserter(left));
  }
  return out;
}

// Of a stream: which partitions have a checkpoint that is more than a fence, whose only entry says that it is one.
std::vector<std::string> begun_in(std::vector<checkpoint_listing> const& all, std::string const& stream) {
  std::vector<std::string> out;
  for (checkpoint_listing const& c : all)
    if (c.key.stream == stream && (c.head.position != position() || c.entries > 1)) out.push_back(c.key.partition);
  return out;
}

bool all_heirs_begun(succession const& order, std::string const& partition, std::vector<std::string> const& begun) {
  std::vector<std::string> const heirs = order.heirs(partition);
  return !heirs.empty() && std::ranges::all_of(heirs, [&](std::string const& h) {
    return std::ranges::find(begun, h) != begun.end() || all_heirs_begun(order, h, begun);
  });
}

checkpoint_update without_state(saved_checkpoint const& c, instant now) {
  std::vector<state_change> changes;
  for (state_entry const& e : c.entries) {
    if (is_of_host(e.operator_id)) {
      if (e.operator_id == schema_id) changes.push_back(state_change::erase(e.operator_id, e.key));
    } else if (changes.empty() || changes.back().entry.operator_id != e.operator_id) {
      changes.push_back(state_change::erase_prefix(e.operator_id, ""));
    }
  }
  return checkpoint_update(checkpoint_head(c.head.position, now, c.head.version + 1, unique_writer()), std::move(changes));
}

}  // namespace

task<> delete_outlived(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order) {
  context const& own = co_await current_context();
  if (order->predecessors(key.partition).empty()) co_return;
  std::vector<checkpoint_listing> const stored = co_await store.list(key.pipeline);
  std::vector<std::string> const begun = begun_in(stored, key.stream);
  std::vector<std::string> const all = may_have_state(stored, key, *order);
  for (std::string const& partition : all | std::views::reverse) {  // what stands further back is found by way of what is nearer
    if (!all_heirs_begun(*order, partition, begun)) continue;
    checkpoint_key of(key.pipeline, key.stream, partition);
    std::optional<saved_checkpoint> const saved = co_await store.load(of);
    if (!saved || !has_state(*saved)) continue;
    try {
      checkpoint_update update = without_state(*saved, own.clock().now());
      co_await store.commit(std::move(of), std::move(update));
    } catch (error const& e) {
      if (e.code() != errc::stale) throw;  // another heir was faster
    }
  }
}

}  // namespace weir::detail
