#pragma once
#include <cstdint>
#include <string_view>

namespace weir {

/// What a sink makes of rows that come again: after a crash, a pipeline repeats what came since its last checkpoint.
enum class guarantee : std::uint8_t {
  at_least_once,  ///< they are there again
  idempotent,     ///< they take the place of those that were there: seen twice perhaps, but there once
  transactional,  ///< they never come again: rows and checkpoint are written in one transaction, both or neither
};

/// "at least once", "idempotent", "transactional".
std::string_view to_string(guarantee g) noexcept;

}  // namespace weir
