#pragma once

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

private:
  friend class store_write;
  friend class outside_write;
  friend class detail::outbox_write;
  sink_write() = default;
};

}  // namespace weir
