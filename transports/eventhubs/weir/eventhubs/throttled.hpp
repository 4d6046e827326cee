#pragma once
#include <string_view>

namespace weir::eventhubs {

/// A metric (`metrics::add`): how often the service has said that it is busy, and was left alone for 4 s at least; with the labels `stream`
/// and `partition` ("" where it is of none). What it said comes again in errors and, when it lasts, in the log.
inline constexpr std::string_view throttled_total = "throttled_total";

}  // namespace weir::eventhubs
