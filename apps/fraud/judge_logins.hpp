#pragma once

#include "account_history.hpp"
#include "alert.hpp"
#include "login.hpp"
#include "rules.hpp"

#include <weir/instant.hpp>
#include <weir/operators/process_context.hpp>

#include <string>
#include <vector>

namespace fraud {

/// Judges the logins of each account in the order of their times, whatever the order in which they come: for `weir::process`. A login waits
/// until the watermark has passed it. One that is late is not judged, as those behind it have been; `weir::key_counts` counts it.
class judge_logins {
public:
  using output = alert;
  /// Per account.
  struct state {
    account_history past;
    std::vector<login> waiting;  ///< by time
  };
  using context = weir::process_context<std::string, alert>;

  explicit judge_logins(rules r) noexcept : rules_(r) {}
  void element(login const& l, state& s, context& c) const;
  void timer(weir::instant at, state& s, context& c) const;

private:
  rules rules_;
};

}  // namespace fraud
