#include <weir/state_store.hpp>

#include <weir/read_through.hpp>

namespace weir {

task<std::optional<saved_checkpoint>> state_store::load_resident(checkpoint_key key) {
  std::optional<saved_checkpoint> all = co_await load(std::move(key));
  if (all) std::erase_if(all->entries, [](state_entry const& e) { return is_read_through(e.operator_id); });
  co_return all;
}

}  // namespace weir
