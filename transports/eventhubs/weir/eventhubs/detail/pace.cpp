#include <weir/eventhubs/detail/pace.hpp>

#include <weir/retry_policy.hpp>

#include <algorithm>
#include <limits>

namespace weir::eventhubs::detail {

std::chrono::nanoseconds pause_after(unsigned failures, reaction does, std::uint64_t random) {
  static retry_policy const policy = retry_policy()
                                         .attempts(std::numeric_limits<unsigned>::max())
                                         .first_delay(std::chrono::milliseconds(200))
                                         .cap(longest_pause)
                                         .blur(jitter::equal);
  // The bits are spread over all 64, of which the policy takes the upper ones.
  std::chrono::nanoseconds const out = policy.delay(std::max(failures, 1U), random * 0x9e3779b97f4a7c15).value_or(longest_pause);
  if (does != reaction::later) return out;
  return least_pause + out;
}

}  // namespace weir::eventhubs::detail
