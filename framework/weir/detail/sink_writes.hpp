#pragma once
#include <weir/detail/outbox_write.hpp>
#include <weir/outside_write.hpp>
#include <weir/sink_write.hpp>
#include <weir/store_write.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace weir::detail {

// What sinks write with one commit.
class sink_writes {
public:
  void add(std::shared_ptr<sink_write> w);
  bool empty() const noexcept { return in_store_.empty() && outside_.empty() && messages_.empty(); }
  void clear() noexcept;
  // How many bytes of memory their rows take.
  std::size_t memory() const noexcept { return memory_; }

  // For the store, in its transaction.
  std::vector<std::shared_ptr<store_write>> const& in_store() const noexcept { return in_store_; }
  // For the outbox.
  std::vector<std::shared_ptr<outbox_write>> const& messages() const noexcept { return messages_; }
  // Before it. What has been written is not written again when this is.
  task<> write_outside(checkpoint_key of, std::uint64_t number, std::uint64_t fences);

private:
  std::vector<std::shared_ptr<store_write>> in_store_;
  std::vector<std::shared_ptr<outside_write>> outside_;
  std::vector<std::shared_ptr<outbox_write>> messages_;
  std::size_t written_ = 0, memory_ = 0;
};

}  // namespace weir::detail
