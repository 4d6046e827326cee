#pragma once
#include <weir/azure/blob_container_options.hpp>
#include <weir/eventhubs/balancer_options.hpp>
#include <weir/eventhubs/checkpoint_service.hpp>
#include <weir/eventhubs/ownership_service.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace weir::eventhubs {

/// How processes share the partitions of a consumer group, by blobs in a container of Azure Storage: consumers of Weir with each other, and
/// with the processors of the official clients of .NET, Java, JavaScript and Python, whose format it is (`options::sharing`, where it says
/// what is promised). All of a group are to have the same container, `how.expiry`, and about the same `how.interval`.
///
/// The container has to be there. Who writes in it needs the role Storage Blob Data Contributor, or a key, or a signature for reading,
/// adding, writing and listing. One container may have the blobs of several hubs and groups.
struct partition_sharing {
  /// The container: `azure::blob_container_options::from_connection_string(text, "checkpoints")`.
  azure::blob_container_options blobs = {};
  /// What this process is called in the blobs, other than all that run. Empty: a random UUID, as the official clients have it, which is
  /// another in each run, so that one which is started again waits until what the one before had runs out, unless it ended in peace.
  std::string consumer = {};
  /// Times, the strategy, and how many partitions.
  balancer_options how = {};
  /// How long after it was written the checkpoint in a blob is written again, at least, when the pipeline has committed more, > 0; it is
  /// also written before a partition is given back. Shorter: who takes a partition that does not read this pipeline's store does less of it
  /// again; and each is a request to Blob storage, which costs.
  std::chrono::nanoseconds checkpoint_every = std::chrono::seconds(5);
  /// What is in place of the blobs, one for who has what, one for how far that is. Null: the container.
  std::shared_ptr<ownership_service> ownership = nullptr;
  std::shared_ptr<checkpoint_service> checkpoints = nullptr;
};

}  // namespace weir::eventhubs
