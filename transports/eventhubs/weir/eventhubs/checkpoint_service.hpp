#pragma once
#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::eventhubs {

/// How far the consumers of a group have brought partitions, as they tell each other: what `checkpoint_blobs` does, and says. A test puts
/// something of its own in place of Blob storage by it, in virtual time. From one strand.
class checkpoint_service {
public:
  checkpoint_service() = default;
  checkpoint_service(checkpoint_service const&) = delete;
  checkpoint_service& operator=(checkpoint_service const&) = delete;
  virtual ~checkpoint_service() = default;

  virtual task<std::optional<stored_checkpoint>> find(std::string partition) = 0;
  virtual task<checkpoint_write> write(stored_checkpoint to) = 0;
};

/// In Blob storage.
std::shared_ptr<checkpoint_service> make_checkpoint_service(checkpoint_blobs blobs);

}  // namespace weir::eventhubs
