#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace weir::eventhubs {

/// How many events a receiver may ask for. What was asked for and has not come, and what has come and was not taken, never exceed the
/// window together: that is the backpressure. Bytes are bounded, too, by the size that events have had so far: when they grow, what was
/// asked for already may still come. Thread-safety: none.
class credit_window {
public:
  /// `events` >= 1, `bytes` >= 1.
  credit_window(std::uint32_t events, std::size_t bytes) noexcept : events_(events), bytes_(bytes) {}

  /// An event came, of so many bytes.
  void arrived(std::size_t bytes) noexcept;
  /// One was taken from those that wait.
  void taken(std::size_t bytes) noexcept;
  /// What may be outstanding from now on, when it is time to say so; `outstanding`: what may be by now. Nothing: it may stay as it is. To
  /// save frames it is said when the half of what may be is used up.
  std::optional<std::uint32_t> grant(std::uint32_t outstanding) const noexcept;

  std::uint32_t waiting() const noexcept { return waiting_; }
  std::size_t waiting_bytes() const noexcept { return waiting_bytes_; }

private:
  std::uint32_t events_;
  std::size_t bytes_;
  std::uint32_t waiting_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::size_t usual_ = 1024;  // bytes of an event
};

}  // namespace weir::eventhubs
