#pragma once

#include "bar.hpp"
#include "closed_bar.hpp"

#include <cstdint>
#include <vector>

namespace ticks {

/// What one input has of a bar.
struct bar_part {
  std::int64_t source = 0;  ///< the input's number in the store
  bar value;
  std::int64_t revision = 0;  ///< how often it closed
  bool open = true;           ///< an early one: has not closed since it was stored
};

/// A bar of all inputs.
struct whole_bar {
  bar value;                  ///< with the parts of other inputs
  std::int64_t revision = 0;  ///< how often it has closed
};

/// A bar as it is made of the parts that inputs have of it.
class bar_parts {
public:
  /// One that is stored; in the order of their sources.
  void add(bar_part p) { parts_.push_back(p); }
  /// Takes the place of what `source` had of the bar, and says whether that was anything else, or not as closed.
  bool put(std::int64_t source, closed_bar const& b);
  /// What `source` has of it, after a `put`.
  bar_part const& of(std::int64_t source) const noexcept;
  /// All of them together. Errors: `errc::out_of_range` when a sum of volumes does not fit.
  whole_bar whole() const;

private:
  std::vector<bar_part> parts_;
};

}  // namespace ticks
