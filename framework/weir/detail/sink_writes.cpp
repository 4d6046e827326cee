#include <weir/detail/sink_writes.hpp>

#include <algorithm>
#include <utility>

namespace weir::detail {

void sink_writes::add(std::shared_ptr<sink_write> w) {
  memory_ += w->memory();
  if (auto in_store = std::dynamic_pointer_cast<store_write>(w)) {
    in_store_.push_back(std::move(in_store));
    return;
  }
  if (auto messages = std::dynamic_pointer_cast<outbox_write>(w)) {
    messages_.push_back(std::move(messages));
    return;
  }
  auto outside = std::static_pointer_cast<outside_write>(std::move(w));  // there is no other kind
  if (std::ranges::any_of(outside_, [&](auto const& before) { return before->join(*outside); })) return;
  outside_.push_back(std::move(outside));
}

void sink_writes::clear() noexcept {
  in_store_.clear();
  outside_.clear();
  messages_.clear();
  written_ = memory_ = 0;
}

task<> sink_writes::write_outside(checkpoint_key of, std::uint64_t number, std::uint64_t fences) {
  for (; written_ != outside_.size(); ++written_) {
    outside_[written_]->fences(fences);
    co_await outside_[written_]->write(of, number);
  }
}

}  // namespace weir::detail
