#include <weir/detail/commit_check.hpp>

#include <weir/error.hpp>

#include <string>
#include <utility>

namespace weir::detail {
namespace {

[[noreturn]] void refuse(checkpoint_key const& key, checkpoint_head const& offered, std::string why) {
  throw error(errc::stale, "checkpoint: cannot commit", std::move(why),
              "another worker has taken over: let it go on, or end it and begin from its checkpoint")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_position(offered.position.text())
      .with_detail("pipeline " + key.pipeline);
}

}  // namespace

void throw_foreign_write(checkpoint_key const& key) {
  throw error(errc::misuse, "checkpoint: cannot commit", "a sink of the pipeline writes with the commits of another store",
              "make the sink from the store that is settings.checkpoints")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_detail("pipeline " + key.pipeline);
}

commit_verdict judge_commit(checkpoint_key const& key, checkpoint_update const& update, checkpoint_head const* stored) {
  checkpoint_head const& offered = update.head;
  if (stored && *stored == offered) return commit_verdict::arrived;
  std::uint64_t const version = stored ? stored->version : 0;
  if (offered.version != version + 1) {
    std::string const expected = "this commit builds on version " + std::to_string(offered.version - 1) + " of it";
    refuse(key, offered,
           stored ? "the store has version " + std::to_string(version) + " at position " + stored->position.text() + ", and " + expected
                  : "the store has no checkpoint, and " + expected);
  }
  if (stored && offered.position < stored->position && update.move == frontier_move::onward)
    refuse(key, offered, "the store has position " + stored->position.text() + " already");
  return commit_verdict::apply;
}

}  // namespace weir::detail
