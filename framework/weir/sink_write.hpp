#pragma once
#include <cstddef>

namespace weir {
namespace detail {
class outbox_write;
}

/// What a sink makes of the rows in front of a checkpoint: a part of that checkpoint's commit. Either a `store_write`, done by the store in
/// the transaction, or an `outside_write`, done before it. (Or messages to a topic, which become a part of the state.)
class sink_write {
public:
  sink_write(sink_write const&) = delete;
  sink_write& operator=(sink_write const&) = delete;
  virtual ~sink_write() = default;
  /// For hosts: how many bytes of memory its rows take, which whoever had it made says.
  std::size_t memory() const noexcept { return memory_; }
  void memory(std::size_t bytes) noexcept { memory_ = bytes; }

private:
  friend class store_write;
  friend class outside_write;
  friend class detail::outbox_write;
  sink_write() = default;
  std::size_t memory_ = 0;
};

}  // namespace weir
