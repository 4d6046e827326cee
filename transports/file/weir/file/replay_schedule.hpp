#pragma once
#include <weir/instant.hpp>

#include <optional>

namespace weir::file {

/// When records are due that are replayed. Performs no waiting.
class replay_schedule {
public:
  /// `speed` > 0 and finite.
  explicit replay_schedule(double speed) noexcept : speed_(speed) {}

  /// When a record that happened at `time` is due, given that it is `now`. The first one asked for is due at once and the others count
  /// from it.
  instant due(instant time, instant now) noexcept;

private:
  struct start {
    instant time, now;
  };
  double speed_;
  std::optional<start> start_;
};

}  // namespace weir::file
