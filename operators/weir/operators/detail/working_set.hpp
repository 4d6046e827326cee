#pragma once
#include <cstddef>
#include <string_view>

namespace weir::detail {

// How much of its state an operator has in memory: all of it,
struct all_in_memory {
  static constexpr bool reads_through = false;
};

// or this many ids or keys, and what is not committed yet; the rest is read from the store when it is asked for.
class working_set {
public:
  static constexpr bool reads_through = true;
  // `who`: a literal. Throws errc::invalid_option when it is none.
  working_set(std::string_view who, std::size_t n);
  std::size_t size() const noexcept { return size_; }
  std::string_view who() const noexcept { return who_; }

private:
  std::string_view who_;
  std::size_t size_;
};

}  // namespace weir::detail
