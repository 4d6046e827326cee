#include <weir/detail/partition_topic.hpp>

#include <weir/detail/outbox_write.hpp>
#include <weir/detail/progress.hpp>
#include <weir/detail/topic_queue.hpp>

#include <iterator>

namespace weir::detail {

partition_topic::partition_topic(progress& p, std::string name)
    : partition_sink(p, std::move(name), guarantee::transactional), progress_(p), queue_(p.messages().queue(partition_sink::name())) {}

bool partition_topic::full() const noexcept { return queue_.full() && !progress_.messages().failure(); }
wait_list& partition_topic::room() const noexcept { return queue_.room; }

void partition_topic::check_open(context const& by) const {
  check(by);
  if (queue_.full() && progress_.messages().failure()) std::rethrow_exception(progress_.messages().failure());
}

void partition_topic::add(std::string payload) {
  payloads_.push_back(std::move(payload));
  note(memory_of(payloads_.back()));
  count();
  if (queue_.open >= queue_.options->at_most) progress_.ask_for_cut();
}

std::shared_ptr<sink_write> partition_topic::make(std::size_t n) {
  std::vector<std::string> first;
  if (n == payloads_.size()) {
    first = std::exchange(payloads_, {});
  } else {
    auto const end = payloads_.begin() + static_cast<std::ptrdiff_t>(n);
    first.assign(std::make_move_iterator(payloads_.begin()), std::make_move_iterator(end));
    payloads_.erase(payloads_.begin(), end);
  }
  count();
  return std::make_shared<outbox_write>(queue_, std::move(first));
}

void partition_topic::keep(std::size_t n) noexcept {
  payloads_.erase(payloads_.begin() + static_cast<std::ptrdiff_t>(n), payloads_.end());
  count();
}

std::size_t partition_topic::measure(std::size_t n) const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i != n; ++i) bytes += memory_of(payloads_[i]);
  return bytes;
}

void partition_topic::count() noexcept { queue_.open = payloads_.size(); }

}  // namespace weir::detail
