#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>

namespace weir {

/// How a delay is blurred, so that many who failed together do not come back together.
enum class jitter {
  none,   ///< exactly the delay
  equal,  ///< between half of the delay and the delay
  full,   ///< between nothing and the delay
};

/// Whether, and after how long, something that failed is tried again: exponential backoff with jitter. It decides and does not wait;
/// `retry` waits.
///
/// The n-th failure is followed by min(`cap`, `first_delay` * 2^(n-1)), blurred; after `attempts` tries it is over.
/// Setters return a changed copy: `retry_policy().attempts(8).first_delay(50ms)`. A setter that gets a value out of its range throws
/// `errc::invalid_option`. Thread-safety: as a value; the random source is the caller's affair.
/// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
class retry_policy {
public:
  /// Five attempts, 100 ms doubling up to 20 s, full jitter, only failures of `condition::retryable`.
  retry_policy() = default;

  /// Tries in all, the first included; >= 1. One: never again.
  [[nodiscard]] retry_policy attempts(unsigned n) const;
  /// Of the delay after the first failure; >= 0.
  [[nodiscard]] retry_policy first_delay(std::chrono::nanoseconds d) const;
  /// No delay is longer; >= 0.
  [[nodiscard]] retry_policy cap(std::chrono::nanoseconds d) const;
  [[nodiscard]] retry_policy blur(jitter j) const;
  /// Which failures are worth another try, in place of `condition::retryable`. Cancellation never is.
  [[nodiscard]] retry_policy when(std::function<bool(std::exception const&)> predicate) const;
  /// Where the jitter comes from, 64 uniform bits a call, in place of a generator of the thread seeded by the system.
  [[nodiscard]] retry_policy random(std::function<std::uint64_t()> source) const;

  unsigned max_attempts() const noexcept { return attempts_; }
  /// The delay after the `failed`-th failure (>= 1), blurred by `random`; empty: give up. Pure.
  std::optional<std::chrono::nanoseconds> delay(unsigned failed, std::uint64_t random) const noexcept;
  /// The same for this very failure, with the policy's own random source: empty also where it is not worth another try.
  std::optional<std::chrono::nanoseconds> after(std::exception_ptr const& failure, unsigned failed) const;

private:
  bool worth_another_try(std::exception_ptr const& failure) const;

  unsigned attempts_ = 5;
  jitter jitter_ = jitter::full;
  std::chrono::nanoseconds first_ = std::chrono::milliseconds(100), cap_ = std::chrono::seconds(20);
  std::function<bool(std::exception const&)> predicate_;
  std::function<std::uint64_t()> random_;
};

}  // namespace weir
