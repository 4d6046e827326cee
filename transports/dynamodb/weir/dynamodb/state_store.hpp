#pragma once
#include <weir/dynamodb/client.hpp>
#include <weir/dynamodb/state_store_options.hpp>
#include <weir/state_store.hpp>

#include <memory>

namespace weir::dynamodb {

/// Keeps checkpoints in a table of DynamoDB, where the workers of several machines share them. They can be looked at:
/// ```
/// aws dynamodb get-item --table-name weir-checkpoints --key '{"checkpoint":{"S":"bars/ticks/shard-1"},"part":{"S":"head"}}'
/// ```
/// A commit writes what changed since the last one, in pieces of up to 350 KB, and then replaces one item, the head, by the condition that
/// it is the one that the commit builds on. That one write is the commit: before it the old checkpoint is there, whole, behind it the new
/// one, whatever dies meanwhile. What is not needed any more is deleted afterwards; what a dead worker has left, with the first commit of
/// the next. Now and then a commit reads some of what earlier ones wrote, and writes it again as one, so that a checkpoint lies in some ten
/// segments; a byte is written again about each time that what was written beside it has doubled (thirteen times in 10,000 commits). A
/// commit without changes is one write. When it has returned, it is in several data centres.
///
/// A partition of DynamoDB takes 1,000 KB a second; a checkpoint is on one. Reads are consistent. Head and segments carry checksums. A load
/// in which a commit comes begins again (some times, then `errc::busy`). `list` and `keys` read the whole table, and are for people.
///
/// Nothing blocks the strand. What is retryable is tried again as the options of the client say, which is also how a commit whose answer
/// was lost finds out that it had arrived. Thread-safety: all functions, from any strand.
///
/// Errors: those of `client`; `errc::too_large` for names of more than 2 KB; `corrupt`; `incompatible` (a table with other keys, or of a
/// version of Weir that came after this one); `not_found` when there is no table and none is to be made; `errc::stale` by `commit`.
class state_store final : public weir::state_store {
public:
  /// Does not connect yet. Throws `errc::invalid_option` for a table without a name.
  explicit state_store(client calls, state_store_options options = {});
  ~state_store() override;

  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  /// Loads each of them to count its entries.
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  /// Begins again when a commit comes meanwhile (some times, then `errc::busy`).
  task<> erase(checkpoint_key key) override;

private:
  struct parts;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::dynamodb
