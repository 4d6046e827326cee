#pragma once
#include <weir/azure/blob_container.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/task.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weir::eventhubs {

/// What has become of the write of a checkpoint. A value.
struct checkpoint_write {
  checkpoint_write() = default;

  bool done = false;
  stored_checkpoint stored;  ///< what the blob has now; where it is not done, somebody else's, which is further
};

/// The checkpoints of a consumer group in Blob storage, as the official clients keep them: each reads those of the others.
///
/// They say how far a partition is done, and nothing of state. A pipeline's own checkpoint, with its state, is in its state store; what is
/// here follows it, so that it may be behind and is never ahead. Whoever takes a partition over begins at the later of the two.
///
/// Errors: those of `azure::blob_container`; `errc::corrupt` for a blob that cannot be read. Cancelled: whether a write was done is not
/// known. A copy is the same. Thread-safety: from any strand.
class checkpoint_blobs {
public:
  checkpoint_blobs(azure::blob_container box, group_blobs names) noexcept : box_(std::move(box)), names_(std::move(names)) {}

  /// All of the group, in no order.
  task<std::vector<stored_checkpoint>> list() const;
  /// Null: the partition has none.
  task<std::optional<stored_checkpoint>> find(std::string partition) const;
  /// Makes a checkpoint what `to` says, where its blob is still the one that `to.etag` names. Where it is another one by now, it is moved
  /// forward and never back, by its number. So a worker that has lost a partition, and does not know it yet, sets
  /// nothing back; who holds it may, since it has seen what is there. `to` has both, offset and number (`errc::misuse`).
  task<checkpoint_write> write(stored_checkpoint to) const;

private:
  static task<std::vector<stored_checkpoint>> list_in(azure::blob_container box, std::string prefix);
  static task<std::optional<stored_checkpoint>> find_in(azure::blob_container box, std::string name, std::string partition);
  static task<checkpoint_write> write_to(azure::blob_container box, std::string name, stored_checkpoint to);

  azure::blob_container box_;
  group_blobs names_;
};

}  // namespace weir::eventhubs
