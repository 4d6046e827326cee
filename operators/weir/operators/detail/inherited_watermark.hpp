#pragma once
#include <weir/instant.hpp>

#include <algorithm>
#include <optional>

namespace weir::detail {

// How far an operator is that takes over what was kept for other partitions: where the least of those was, without time if that had none.
// The greatest watermark of them comes behind the restore, see event_time.
class inherited_watermark {
public:
  instant with(instant theirs) noexcept {
    least_ = std::min(least_.value_or(theirs), theirs);
    return *least_;
  }

private:
  std::optional<instant> least_;
};

}  // namespace weir::detail
