#pragma once
#include <weir/lambda/event.hpp>
#include <weir/lambda/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::lambda::detail {

// Which events a pipeline takes, and how they are answered. Throws errc::invalid_option for what cannot be used.
struct event_rules {
  explicit event_rules(stream_options o);
  explicit event_rules(queue_options o);
  // It names where the event comes from.
  bool names(event const& e) const;

  std::string source;  // a name, an ARN, or empty
  bool report_batch_item_failures;
  unsigned parallelization_factor = 1;
  std::size_t most_concurrent;
};

// "ticks" of "arn:aws:kinesis:us-east-2:123456789012:stream/ticks", likewise of tables, queues and clusters. What is no ARN is the name.
std::string_view name_in_arn(std::string_view arn) noexcept;
// "kinesis ticks": as sources name what they read. `source`: a name or an ARN.
std::string stream_name(event_source kind, std::string_view source);

}  // namespace weir::lambda::detail
