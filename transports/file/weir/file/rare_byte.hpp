#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace weir::file {

/// Tells for one line of a run after another whether a byte is in it that hardly ever is: one search jumps over all lines without.
class rare_byte {
public:
  rare_byte() noexcept = default;
  rare_byte(char what, std::string_view run) noexcept : what_(what), end_(std::to_address(run.end())) {
    look(std::to_address(run.begin()));
  }

  /// Whether there is one from here on.
  bool any() const noexcept { return next_ != end_; }
  /// Whether `line` has it. Lines are asked for in their order in the run.
  bool is_in(std::string_view line) noexcept {
    char const* const begin = std::to_address(line.begin());
    if (next_ < begin) look(begin);
    return next_ < begin + line.size();
  }

private:
  void look(char const* from) noexcept {
    auto const* const found = from == end_ ? nullptr : std::memchr(from, what_, static_cast<std::size_t>(end_ - from));
    next_ = found ? static_cast<char const*>(found) : end_;
  }

  char what_ = 0;
  char const *next_ = nullptr, *end_ = nullptr;  // the first one that is not behind us
};

}  // namespace weir::file
