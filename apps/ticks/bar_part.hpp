#pragma once

#include "bar.hpp"
#include "closed_bar.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ticks {

/// What one input has of a bar.
struct bar_part {
  std::int64_t source = 0;  ///< the input's number in the store
  bar value;
  std::int64_t revision = 0;  ///< how often it closed
  bool open = true;           ///< an early one: has not closed since it was stored
};

/// What became of a bar that was put.
struct stored_bar {
  bar value;                  ///< with the parts of other inputs
  std::int64_t revision = 0;  ///< how often it has closed
};

/// A bar as it is made of the parts that inputs have of it.
class bar_parts {
public:
  /// One that is stored; in the order of their sources.
  void add(bar_part p) { parts_.push_back(p); }
  /// Takes the place of what `source` had of the bar. Null when it had the same, and as closed. Errors: `errc::out_of_range` when a sum of
  /// volumes does not fit.
  std::optional<stored_bar> put(std::int64_t source, closed_bar const& b);

  /// The last that was put and not the same as before; null: none.
  bar_part const* changed() const noexcept { return changed_ ? &*changed_ : nullptr; }
  /// All of them together. Errors: as `put`.
  stored_bar whole() const;

private:
  std::vector<bar_part> parts_;
  std::optional<bar_part> changed_;
};

}  // namespace ticks
