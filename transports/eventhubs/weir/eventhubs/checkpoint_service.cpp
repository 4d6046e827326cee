#include <weir/eventhubs/checkpoint_service.hpp>

#include <utility>

namespace weir::eventhubs {
namespace {

class checkpoints_in_blobs final : public checkpoint_service {
public:
  explicit checkpoints_in_blobs(checkpoint_blobs blobs) noexcept : blobs_(std::move(blobs)) {}
  task<std::optional<stored_checkpoint>> find(std::string partition) override { return blobs_.find(std::move(partition)); }
  task<checkpoint_write> write(stored_checkpoint to) override { return blobs_.write(std::move(to)); }

private:
  checkpoint_blobs const blobs_;
};

}  // namespace

std::shared_ptr<checkpoint_service> make_checkpoint_service(checkpoint_blobs blobs) {
  return std::make_shared<checkpoints_in_blobs>(std::move(blobs));
}

}  // namespace weir::eventhubs
