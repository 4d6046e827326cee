#pragma once
#include <weir/instant.hpp>
#include <weir/net/headers.hpp>
#include <weir/net/response.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weir::aws {

/// How far a service's clock is ahead of ours, learned from its answers: services refuse signatures that are more than five minutes off.
/// ```cpp
/// instant const at = skew.corrected(clock.now());
/// sign(r, keys, scope, at);
/// auto const answer = co_await client.send(r);
/// if (skew.learn(answer, at, clock.now())) ...   // sign it again, once
/// ```
/// Beside that, for what asks the service by time, `at_least` follows the Date of every answer, by which nothing is signed: our clock is as
/// good as theirs until they say otherwise.
/// Thread-safety: all functions, from any strand.
class clock_skew {
public:
  /// What the service's clock shows when ours shows `now`.
  instant corrected(instant now) const noexcept;
  /// Looks at the answer to a request that was signed for the time `signed_for`, and that came when our clock showed `now`. Returns true
  /// when it refuses the request for its time, has a Date, and a signature by that may be taken: then our clock is corrected by it. That is
  /// so for RequestTimeTooSkewed, RequestExpired and RequestInTheFuture; and for a signature that does not match, where Date and
  /// `signed_for` are more than four minutes apart (which a request that was long under way is, too: signing it anew is right there as
  /// well).
  bool learn(net::response const& answer, instant signed_for, instant now);

  /// Looks at the header of any answer, which came when our clock showed `now`.
  void hear(net::headers const& answer, instant now) noexcept;
  /// How far the service's clock is ahead of ours (below zero: behind), by the last answer that had a Date: never more than it is, and less
  /// by up to a second, since a Date has no parts of it, and by the way of that answer. 0 while none had one.
  std::chrono::nanoseconds at_least() const noexcept;

private:
  std::atomic<std::int64_t> ahead_ = 0, heard_ = 0;  // ns
};

}  // namespace weir::aws
