#pragma once

namespace weir::detail {

// The type of an argument that has to be given, and was not: so that one sentence says which, in place of a list of candidates.
struct left_out {};

}  // namespace weir::detail
