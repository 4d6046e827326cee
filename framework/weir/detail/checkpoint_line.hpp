#pragma once
#include <weir/barrier.hpp>

#include <optional>
#include <string>

namespace weir::detail {

// The checkpoints that pass one place. Branches which meet reach a checkpoint one after the other, unless a merge holds them: what is kept
// behind would be saved at two moments, and is right at neither.
class checkpoint_line {
public:
  // Throws `errc::misuse` when it belongs to others than those before.
  void check(barrier const& b);

private:
  std::optional<std::string> line_;
};

}  // namespace weir::detail
