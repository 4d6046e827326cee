#pragma once
#include <weir/amqp/value_view.hpp>
#include <weir/eventhubs/properties.hpp>

#include <optional>

namespace weir::eventhubs::detail {

// The body of the answer to READ of "com.microsoft:eventhub", a map; null: it is none, or has no partitions.
std::optional<hub_properties> hub_properties_in(amqp::value_view body);
// The same of "com.microsoft:partition"; null: it is none, or has no numbers.
std::optional<partition_properties> partition_properties_in(amqp::value_view body);

}  // namespace weir::eventhubs::detail
