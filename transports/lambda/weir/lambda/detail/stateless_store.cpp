#include <weir/lambda/detail/stateless_store.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/detail/host_entries.hpp>
#include <weir/error.hpp>

namespace weir::lambda::detail {

task<std::optional<saved_checkpoint>> stateless_store::load(checkpoint_key /*key*/) { co_return std::nullopt; }

task<> stateless_store::commit(checkpoint_key key, checkpoint_update update) {
  weir::detail::refuse_writes(key, update);
  for (state_change const& c : update.changes) {
    if (c.kind != state_change_kind::put || weir::detail::is_of_host(c.entry.operator_id)) continue;
    throw error(weir::errc::misuse, "lambda: cannot commit",
                "the handler keeps state (" + c.entry.operator_id + "), and without checkpoints nobody has it at the next invocation",
                "give settings.checkpoints a store that all instances of the function share, or give the mapping a tumbling window")
        .with_stream(key.stream)
        .with_partition(key.partition);
  }
  co_return;
}

task<std::vector<checkpoint_listing>> stateless_store::list(std::string /*pipeline*/) { co_return std::vector<checkpoint_listing>(); }
task<std::vector<checkpoint_key>> stateless_store::keys() { co_return std::vector<checkpoint_key>(); }
task<> stateless_store::erase(checkpoint_key /*key*/) { co_return; }

}  // namespace weir::lambda::detail
