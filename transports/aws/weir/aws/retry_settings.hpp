#pragma once
#include <weir/aws/variables.hpp>
#include <weir/retry_policy.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace weir::aws {

/// What keeps a client from making things worse by trying again.
enum class retry_mode : std::uint8_t {
  legacy,  ///< nothing but the number of tries
  /// A budget of 500: each retry takes 5 of it, 10 behind a timeout, and gets them back when it succeeds; a call that succeeds at once adds
  /// 1. Without budget a failure is final, so that an outage is not met with three times the load.
  standard,
  /// `standard`, and a limit on the rate of sending, from the first answer on that says "slow down": seven tenths of the rate there was
  /// then, rising again along a cubic curve. First tries may wait, too. For clients of one stream or table, since all calls of a client
  /// share the limit.
  adaptive,
};

/// How a client tries again.
struct retry_settings {
  retry_mode mode = retry_mode::standard;
  retry_policy policy;
};

/// What is given here; else what AWS_RETRY_MODE and AWS_MAX_ATTEMPTS say, or `retry_mode` and `max_attempts` in the profile (AWS_PROFILE
/// where it is empty); else `standard`, and `usual`, of which AWS_MAX_ATTEMPTS changes the number of tries (the first one included) and
/// nothing else.
/// Throws `errc::invalid_option` for another mode, or a number that is none above 0; what `profile_files::load` throws.
/// Source: "Retry behavior", AWS SDKs and tools reference guide.
retry_settings resolve_retries(std::optional<retry_mode> mode, std::optional<retry_policy> const& policy, retry_policy const& usual,
                               std::string const& profile = {}, variables const& from = process_variables());

}  // namespace weir::aws
