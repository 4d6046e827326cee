#include <weir/eventhubs/credit_window.hpp>

#include <algorithm>

namespace weir::eventhubs {

void credit_window::arrived(std::size_t bytes) noexcept {
  ++waiting_;
  waiting_bytes_ += bytes;
  // Follows growth at once, since it is memory that is bounded, and shrinking by and by.
  usual_ = std::max<std::size_t>(std::max(bytes, usual_ - usual_ / 16), 1);
}

void credit_window::taken(std::size_t bytes) noexcept {
  --waiting_;
  waiting_bytes_ -= bytes;
}

std::optional<std::uint32_t> credit_window::grant(std::uint32_t outstanding) const noexcept {
  std::size_t const room = bytes_ > waiting_bytes_ ? (bytes_ - waiting_bytes_) / usual_ : 0;
  auto may = static_cast<std::uint32_t>(std::min<std::size_t>(room, events_ - std::min(events_, waiting_)));
  if (may == 0 && waiting_ == 0) may = 1;  // an event larger than the whole window comes alone
  if (outstanding >= may - may / 2) return std::nullopt;
  return may;
}

}  // namespace weir::eventhubs
