#pragma once

namespace weir {

/// In which order the results of elements that are worked on at once are handed on.
enum class ordering {
  ordered,    ///< as the elements came
  unordered,  ///< as they are done; none overtakes a mark
};

}  // namespace weir
