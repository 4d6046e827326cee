#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace weir {

/// The state of a pipeline's stages at one point of its input, one part per stateful stage in the order of the chain.
class snapshot {
public:
  snapshot() = default;
  explicit snapshot(std::vector<std::vector<std::byte>> parts) noexcept : parts_(std::move(parts)) {}
  std::vector<std::byte>& add() { return parts_.emplace_back(); }
  /// While restoring: the next stage's part. Throws `errc::incompatible` when the checkpoint was written by a pipeline with fewer stages.
  std::span<std::byte const> take();
  bool used_up() const noexcept { return taken_ == parts_.size(); }
  bool empty() const noexcept { return parts_.empty(); }
  std::vector<std::vector<std::byte>> const& parts() const noexcept { return parts_; }
  /// As one block: nothing for no parts, else their number and each with its length (little-endian, 8 bytes). `decode` throws
  /// `errc::corrupt` for anything else.
  std::vector<std::byte> encode() const;
  static snapshot decode(std::span<std::byte const> bytes);

private:
  std::vector<std::vector<std::byte>> parts_;
  std::size_t taken_ = 0;
};

/// One checkpoint on its way through a pipeline. Each stage with state adds its part as the barrier passes; when the consumer at the
/// end has pulled past it, everything before it is done and `complete` is called, once, on the strand. The source that sent it owns it
/// and keeps it until it or a later one is complete.
class barrier {
public:
  barrier() = default;
  barrier(barrier const&) = delete;
  barrier& operator=(barrier const&) = delete;
  weir::snapshot& state() noexcept { return state_; }
  bool completed() const noexcept { return completed_; }
  void complete() noexcept {
    if (!std::exchange(completed_, true)) on_complete();
  }

protected:
  ~barrier() = default;

private:
  virtual void on_complete() noexcept {}
  weir::snapshot state_;
  bool completed_ = false;
};

}  // namespace weir
