#pragma once
#include <string>
#include <string_view>

namespace weir::test {

/// Text with readable bytes behind it, as the machines ask for, in memory of its own so that a sanitizer sees what lies beyond.
class padded_text {
public:
  explicit padded_text(std::string_view text) : bytes_(std::string(text) + std::string(64, '\0')), size_(text.size()) {}
  std::string_view view() const noexcept { return std::string_view(bytes_.data(), size_); }

private:
  std::string bytes_;
  std::size_t size_;
};

}  // namespace weir::test
