#pragma once
#include <string_view>

namespace weir {

/// Where a checkpoint keeps messages that may not be delivered yet, and how many there were: the operator id of these entries, which no
/// operator has. They do not belong to the position, as other state does: messages that were sent stay sent.
inline constexpr std::string_view outbox_id = "(outbox)";

}  // namespace weir
