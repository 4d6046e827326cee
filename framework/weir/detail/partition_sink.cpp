#include <weir/detail/partition_sink.hpp>

#include <weir/detail/progress.hpp>
#include <weir/error.hpp>

#include <algorithm>

namespace weir::detail {

void partition_sink::check(context const& by) const {
  if (&by == writer_) return;
  throw error(errc::misuse, "sink: cannot write",
              "the row is written beside the handler, where it is not known which checkpoint it belongs to",
              "write it in the handler itself, or end the stream it comes from with write_to")
      .with_detail(name_);
}

void partition_sink::check(barrier const& b) const {
  if (!b.overtaken() || promises_ == guarantee::at_least_once) return;
  throw error(errc::misuse, "sink: cannot write",
              "its rows are to be there once, and an operator in front of it lets records from behind a checkpoint leave before it, which "
              "come again (window(n), partition_by)",
              "group by batch, or by windows of time; or write to a sink that promises at least once")
      .with_detail(name_);
}

void partition_sink::note(std::size_t bytes) {
  std::optional<position> const done = progress_.settled_now();
  if (stretches_.empty() || stretches_.back().done != done) stretches_.emplace_back(count_, done);
  ++count_;
  memory_ += bytes;
}

// What was done when a row was written does not have its record; more than that has it.
void partition_sink::settle(position const& done) noexcept {
  auto const open = std::ranges::find_if(stretches_, [&](stretch const& s) { return s.done && *s.done >= done; });
  settled_ = std::max(settled_, open == stretches_.end() ? count_ : open->first);
}

std::shared_ptr<sink_write> partition_sink::take_first(std::size_t rows) {
  if (rows == 0) return nullptr;
  auto const next = std::ranges::find_if(stretches_, [&](stretch const& s) { return s.first > rows; });
  if (rows == count_) stretches_.clear();
  else if (next != stretches_.begin()) stretches_.erase(stretches_.begin(), next - 1);
  for (stretch& s : stretches_) s.first -= std::min(s.first, rows);
  std::size_t const bytes = rows == count_ ? memory_ : measure(rows);
  count_ -= rows;
  settled_ -= std::min(settled_, rows);
  memory_ -= bytes;
  auto w = make(rows);
  if (w) w->memory(bytes);
  return w;
}

void partition_sink::drop_open() noexcept {
  left_.clear();
  keep(settled_);
  count_ = settled_;
  memory_ = measure(count_);
  stretches_.clear();
}

void partition_sink::clear() noexcept {
  settled_ = 0;
  drop_open();
}

}  // namespace weir::detail
