#pragma once

#include "bar_store.hpp"
#include "options.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ticks {

/// What a run reads, as the rest of the program needs to know it.
struct bar_input {
  bar_origin origin;
  std::string path;  ///< of the file, absolute, without links; empty: there is none
  bool csv = false;
  std::optional<std::uint64_t> total;  ///< bytes of a plain file, ticks of a market with an end
};

/// Looks at the input that `o` names. Errors: `weir::error` when there is no such file, when it is a folder, or when it is also an output.
bar_input look_at_input(options const& o);

}  // namespace ticks
