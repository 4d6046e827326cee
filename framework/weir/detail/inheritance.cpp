#include <weir/detail/inheritance.hpp>

#include <weir/committed_entries.hpp>
#include <weir/detail/checkpoint_parts.hpp>
#include <weir/detail/fence.hpp>
#include <weir/detail/host_entries.hpp>
#include <weir/error.hpp>
#include <weir/heir.hpp>
#include <weir/schema_id.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace weir::detail {
namespace {

class heir_of final : public heir {
public:
  heir_of(std::shared_ptr<succession const> order, std::string heir, predecessor of)
      : order_(std::move(order)), heir_(std::move(heir)), of_(std::move(of)) {}

  bool owns(std::string_view partition_key) const override {
    if (order_->owns(of_.partition, partition_key)) return order_->owns(heir_, partition_key);
    throw error(errc::misuse, "checkpoint: state cannot be handed over",
                "there is some under the key \"" + std::string(partition_key) +
                    "\", and records with that as their partition key are not in " + of_.partition + ", which has ended and goes on in " +
                    heir_ + ": they are partitioned by something else (another key, an explicit hash key, a service that ignores keys)",
                "say which partition key the records of a key have: key_by(f, partitioned_by(g)); the state is kept as it is");
  }
  bool takes_rest() const noexcept override { return of_.leaves_rest; }

private:
  std::shared_ptr<succession const> order_;
  std::string heir_;
  predecessor of_;
};

}  // namespace

task<bool> take_over(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order, std::vector<migration> const& changes,
                     restored_state& into) {
  bool any = false;
  std::vector<predecessor> left = order->predecessors(key.partition);
  std::vector<std::string> seen{key.partition};
  for (std::size_t i = 0; i != left.size(); ++i) {
    predecessor next = left[i];
    if (std::ranges::find(seen, next.partition) != seen.end()) continue;
    seen.push_back(next.partition);
    checkpoint_key const of(key.pipeline, key.stream, next.partition);
    std::optional<saved_checkpoint> saved = co_await store.load(of);
    if (!saved || !begun(*saved)) {  // nothing, or a fence
      for (predecessor& before : order->predecessors(next.partition))
        left.emplace_back(std::move(before.partition), before.leaves_rest && next.leaves_rest);
      continue;
    }
    std::erase_if(saved->entries, [](state_entry const& e) { return is_of_host(e.operator_id) && e.operator_id != schema_id; });
    try {
      committed_entries const stored(store.reader(), of);
      std::vector<std::string> ran;
      run_migrations(changes, saved->entries, &stored, ran);
    } catch (error& e) {
      e.with_stream(of.stream).with_partition(of.partition).with_detail("pipeline " + of.pipeline);
      throw;
    }
    if (std::ranges::all_of(saved->entries, [](state_entry const& e) { return e.operator_id == schema_id; })) continue;
    any = true;
    into.add_predecessor(std::move(saved->entries), std::make_shared<heir_of>(order, key.partition, std::move(next)));
  }
  co_return any;
}

}  // namespace weir::detail
