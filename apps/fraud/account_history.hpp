#pragma once

#include "alert.hpp"
#include "login.hpp"
#include "rules.hpp"

#include <weir/instant.hpp>

#include <optional>
#include <vector>

namespace fraud {

/// Where and when somebody was logged in.
struct visit {
  weir::instant time = 0;
  place from;
};

/// What the rules need to know of an account's past. Can be part of a checkpoint.
///
/// Failed logins are remembered for as long as they can be part of an alert, and forgotten when they were: the next alert needs as many
/// again. A successful login between them changes nothing. Travel is judged between successful logins only: anybody can fail from anywhere.
struct account_history {
  std::vector<weir::instant> failures;
  std::optional<visit> last;
};

/// Judges the next login of an account; logins come in the order of their times. At most one alert: a login either failed or did not.
std::optional<alert> judge(login const& next, account_history& past, rules const& r);

/// When nothing in the history can matter any more: for how long it must be kept behind the account's last login, in ns. Half of the
/// Earth's circumference at the greatest speed, or `within`, whichever is longer.
std::int64_t memory_of(rules const& r);

}  // namespace fraud
