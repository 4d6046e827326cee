#pragma once
#include <weir/azure/blob.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::eventhubs {

/// What the blobs are called by which the consumers of a group share its partitions: names as all official clients make them, in lower
/// case. A value. Source: BlobCheckpointStore of @azure/eventhubs-checkpointstore-blob 2.0.0; the clients of .NET, Java and Python use the
/// same.
class group_blobs {
public:
  /// `host`: of the namespace, without a port. Throws `errc::invalid_option` for a name that is empty.
  group_blobs(std::string_view host, std::string_view event_hub, std::string_view consumer_group);

  std::string ownership(std::string_view partition) const { return ownerships() + std::string(partition); }
  std::string checkpoint(std::string_view partition) const { return checkpoints() + std::string(partition); }
  /// What all of them begin with: "ns.servicebus.windows.net/ticks/$default/ownership/".
  std::string ownerships() const { return prefix_ + "ownership/"; }
  std::string checkpoints() const { return prefix_ + "checkpoint/"; }

private:
  std::string prefix_;
};

/// The partition that such a name is about; empty: `name` is none, behind that prefix.
std::string_view partition_of(std::string_view name, std::string_view prefix) noexcept;

/// How far a partition is done: the last event that is. A value.
struct stored_checkpoint {
  stored_checkpoint() = default;
  friend bool operator==(stored_checkpoint const&, stored_checkpoint const&) = default;

  std::string partition;
  std::string offset;                           ///< opaque; empty: only the number is known
  std::optional<std::int64_t> sequence_number;  ///< null: only the offset is known
  std::string etag;                             ///< of its blob; empty: there is none
};

/// The checkpoint in a blob. An offset of no use ("", "no offset") counts as none. Throws `errc::corrupt`, which says the blob, when it has
/// neither.
stored_checkpoint read_checkpoint(azure::blob const& b, std::string partition);
/// What a blob says of it.
azure::blob_metadata to_metadata(stored_checkpoint const& c);

}  // namespace weir::eventhubs
