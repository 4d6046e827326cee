#pragma once
#include <string>
#include <utility>

namespace weir::test {

/// Counts its living instances, and owns memory, so that a leak or a double destruction shows (the latter under ASan).
class tracked {
public:
  explicit tracked(int v) : text_(std::to_string(v) + std::string(40, '.')), value_(v) { ++alive; }
  tracked(tracked const& o) : text_(o.text_), value_(o.value_) { ++alive; }
  tracked(tracked&& o) noexcept : text_(std::move(o.text_)), value_(o.value_) { ++alive; }
  tracked& operator=(tracked const&) = default;
  tracked& operator=(tracked&&) noexcept = default;
  ~tracked() { --alive; }
  int value() const noexcept { return value_; }
  static inline int alive = 0;

private:
  std::string text_;
  int value_;
};

}  // namespace weir::test
