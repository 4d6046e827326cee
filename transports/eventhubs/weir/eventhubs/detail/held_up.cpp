#include <weir/eventhubs/detail/held_up.hpp>

#include <weir/eventhubs/throttled.hpp>

#include <array>
#include <bit>
#include <string>

namespace weir::eventhubs::detail {

void held_up(environment& env, std::string_view what, unsigned failures, error const& why) {
  if (env.metrics && why.code() == errc::throttled) {
    std::array<metric_label, 2> const labels{metric_label("stream", why.stream()), metric_label("partition", why.partition())};
    env.metrics->add(throttled_total, 1, labels);
  }
  if (!std::has_single_bit(failures) || std::countr_zero(failures) % 2 != 0 || failures == 1) return;
  env.log.warning("event hubs: " + std::string(what) + " is held up (failed " + std::to_string(failures) +
                  " times in a row): it is tried again; " + why.what());
}

}  // namespace weir::eventhubs::detail
