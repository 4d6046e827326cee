#pragma once
#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/detail/offset_trail.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/position.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::eventhubs::detail {

// When the blob of a partition's checkpoint is written, and with what: behind what the pipeline has committed. No I/O. Times are of one
// clock that never goes back. There is at most one write under way.
class blob_progress {
public:
  using time = std::chrono::nanoseconds;

  // It is ours, and that is what the blob says; of one that is not there, the partition.
  void begins(stored_checkpoint there);
  // An event was read.
  void read(std::int64_t number, std::string_view offset) { trail_.add(number, offset); }
  // So far it is committed.
  void reached(position const& p);
  // What is to be written now, to be answered by `done` or `failed`.
  std::optional<stored_checkpoint> due(time now);
  // The same, whenever the last write was. Null also while one is under way.
  std::optional<stored_checkpoint> last();
  void done(checkpoint_write const& w, time next_at_earliest);
  void failed(time next_at_earliest);
  bool writing() const noexcept { return writing_; }
  // When `due` has something, or may have.
  time next_due() const noexcept { return next_ && !writing_ ? not_before_ : time::max(); }

private:
  offset_trail trail_;
  stored_checkpoint there_;
  std::optional<stored_checkpoint> next_, sent_;
  time not_before_ = time::min();
  bool writing_ = false;
};

}  // namespace weir::eventhubs::detail
