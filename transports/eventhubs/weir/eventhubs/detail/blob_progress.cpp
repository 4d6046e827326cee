#include <weir/eventhubs/detail/blob_progress.hpp>

#include <utility>

namespace weir::eventhubs::detail {

void blob_progress::begins(stored_checkpoint there) {
  *this = blob_progress();
  there_ = std::move(there);
}

void blob_progress::reached(position const& p) {
  if (p == position()) return;
  auto const at = trail_.take(static_cast<std::int64_t>(p.offset()));
  if (!at || at->offset.empty()) return;
  next_.emplace();
  next_->partition = there_.partition;
  next_->sequence_number = at->number;
  next_->offset = at->offset;
}

std::optional<stored_checkpoint> blob_progress::due(time now) { return now < not_before_ ? std::nullopt : last(); }

std::optional<stored_checkpoint> blob_progress::last() {
  if (writing_ || !next_) return std::nullopt;
  writing_ = true;
  stored_checkpoint out = *std::exchange(next_, std::nullopt);
  out.etag = there_.etag;
  sent_ = out;
  return out;
}

void blob_progress::done(checkpoint_write const& w, time next_at_earliest) {
  writing_ = false;
  not_before_ = next_at_earliest;
  there_ = w.stored;
}

void blob_progress::failed(time next_at_earliest) {
  writing_ = false;
  not_before_ = next_at_earliest;
  if (!next_) next_ = std::move(sent_);
}

}  // namespace weir::eventhubs::detail
