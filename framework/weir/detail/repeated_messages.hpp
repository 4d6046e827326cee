#pragma once
#include <weir/log.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace weir::detail {

// Knows which messages have just been said, numbers apart.
class repeated_messages {
public:
  static constexpr std::size_t most = 256;  // kinds that are remembered

  explicit repeated_messages(std::chrono::nanoseconds within) noexcept : within_(within) {}
  // Null: it was said less than that ago. Else how many of its kind were left out since.
  std::optional<std::uint64_t> say(log_level level, std::string_view message, std::chrono::nanoseconds now);

private:
  struct kind {
    std::chrono::nanoseconds said;
    std::uint64_t left_out = 0;
  };
  void forget(std::chrono::nanoseconds now);

  std::chrono::nanoseconds within_;
  std::map<std::string, kind, std::less<>> kinds_;
};

}  // namespace weir::detail
