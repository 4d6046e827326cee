#pragma once
#include <string_view>

namespace weir {

/// Where a checkpoint says how many of its commits only fenced it (`assignment_view::fence`), and the version of the last one that did: the
/// operator id of that entry, which no operator has. It does not belong to the position, as other state does.
inline constexpr std::string_view fences_id = "(fences)";

}  // namespace weir
