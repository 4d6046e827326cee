#include <weir/detail/fence.hpp>

#include <weir/context.hpp>
#include <weir/detail/fences.hpp>
#include <weir/detail/host_entries.hpp>
#include <weir/detail/inheritance.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace weir::detail {

std::string unique_writer() {
  std::random_device any;
  std::array<char, 33> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x%08x%08x%08x", any(), any(), any(), any());
  return digits.data();
}

std::optional<position> begun(saved_checkpoint const& saved) noexcept {
  std::optional<position> at;
  bool const more = std::ranges::any_of(saved.entries, [](state_entry const& e) { return e.operator_id != fences_id; });
  if (saved.head.position != position() || more) at = saved.head.position;
  return at;
}

task<fenced_partition> fence(state_store& store, checkpoint_key key, std::optional<position> elsewhere,
                             std::shared_ptr<succession const> order) {
  context const& own = co_await current_context();
  std::optional<saved_checkpoint> saved = co_await store.load_resident(key);
  fenced_partition out;
  if (saved) out.from = out.stood = begun(*saved);
  std::uint64_t const version = saved ? saved->head.version + 1 : 1;
  std::vector<state_change> changes{one_more(saved ? fences_in(saved->entries) : fences(), version)};
  if (elsewhere && (!out.from || *out.from < *elsewhere)) {
    if (saved && !has_state(*saved)) saved = co_await store.load(key);  // with what operators read one by one
    out.state_is_behind = saved && has_state(*saved);
    if (!out.from && order) {
      task<bool> asking = inherits(store, key, std::move(order));
      out.state_is_behind = co_await std::move(asking);
    }
    if (!out.state_is_behind) out.from = elsewhere;
  }
  checkpoint_update update(checkpoint_head(out.from.value_or(position()), own.clock().now(), version, unique_writer()), std::move(changes));
  co_await store.commit(std::move(key), std::move(update));
  out.version = version;
  co_return out;
}

}  // namespace weir::detail
