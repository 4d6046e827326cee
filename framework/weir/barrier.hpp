#pragma once
#include <weir/operator_state.hpp>

#include <memory>
#include <string>
#include <utility>

namespace weir {

/// One checkpoint on its way through a pipeline. Each operator with state adds its part as the barrier passes; when the consumer at the
/// end has pulled past it, everything before it is done and `complete` is called, once, on the strand. The source that sent it owns it
/// and keeps it until it or a later one is complete.
class barrier {
public:
  barrier() = default;
  /// Of a branch of the pipeline: `state_changes::line`.
  explicit barrier(std::string line) noexcept : state_(std::move(line)) {}
  barrier(barrier const&) = delete;
  barrier& operator=(barrier const&) = delete;
  state_changes& state() noexcept { return state_; }
  /// Of the last barrier of a stream that has ended with its data: what a sink had since, of results that were waiting for the end. It is
  /// written with the checkpoint, and comes again when the stream is run again.
  virtual void at_end(std::shared_ptr<store_write> w) { state_.add(std::move(w)); }
  bool completed() const noexcept { return completed_; }
  void complete() noexcept {
    if (!std::exchange(completed_, true)) on_complete();
  }

protected:
  ~barrier() = default;

private:
  virtual void on_complete() noexcept {}
  state_changes state_;
  bool completed_ = false;
};

}  // namespace weir
