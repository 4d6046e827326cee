#pragma once
#include <weir/azure/blob_container.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/eventhubs/ownership.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::eventhubs {

/// What has become of a write. A value.
struct ownership_write_result {
  ownership_write_result() = default;

  bool done = false;
  std::string etag;                 ///< done: the blob's
  std::optional<ownership> stored;  ///< not done: what is there; null: nothing
};

/// What sharing partitions takes: two operations. A test puts something of its own in place of Blob storage by it, in virtual time. From
/// one strand.
class ownership_service {
public:
  ownership_service() = default;
  ownership_service(ownership_service const&) = delete;
  ownership_service& operator=(ownership_service const&) = delete;
  virtual ~ownership_service() = default;

  virtual task<ownership_list> list() = 0;
  virtual task<ownership_write_result> write(ownership_write w) = 0;
};

/// Ownership in Blob storage, in the form of the official clients, so that consumers of Weir and theirs share a group. A blob without an
/// owner in its metadata counts as given back. A partition's first blob is made where there is none and nowhere else (JavaScript's client
/// replaces one that another has made meanwhile). Throws what `azure::blob_container` throws.
std::shared_ptr<ownership_service> make_ownership_service(azure::blob_container box, group_blobs names);

}  // namespace weir::eventhubs
