#pragma once
#include <algorithm>
#include <mutex>

namespace weir::aws::detail {

// How many retries a client may make, whose failures have to be outweighed by successes. From any strand.
// Source: "Retry behavior", AWS SDKs and tools reference guide: the retry quota before 2026.
class retry_budget {
public:
  static constexpr unsigned all = 500, of_retry = 5, of_retry_behind_timeout = 10, of_success = 1;

  // False: there is not enough left, and nothing is taken.
  bool take(unsigned tokens) {
    std::lock_guard const held(lock_);
    if (left_ < tokens) return false;
    left_ -= tokens;
    return true;
  }
  void give_back(unsigned tokens) {
    std::lock_guard const held(lock_);
    left_ = std::min(left_ + tokens, all);
  }

private:
  std::mutex lock_;
  unsigned left_ = all;
};

}  // namespace weir::aws::detail
