#include "progress_text.hpp"

#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace ticks {

std::string grouped(std::uint64_t number) {
  std::string const digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i != digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1'000) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes);
  char const* unit = "";
  for (char const* u : {"kB", "MB", "GB", "TB", "PB"}) {
    size /= 1'000;
    unit = u;
    if (size < 999.95) break;
  }
  return fmt::format("{:.1f} {}", size, unit);
}

std::string progress_text(progress_figures const& f, std::size_t width) {
  std::string text = fmt::format("{} ticks  {}/s", grouped(f.records), grouped(f.rate));
  if (f.total) {
    std::uint64_t const lag = *f.total > f.done ? *f.total - f.done : 0;
    text += fmt::format("  lag {}", f.bytes ? bytes_text(lag) : grouped(lag));
  }
  text += fmt::format("  in open bars {}", grouped(f.open));
  if (f.records != 0) text += fmt::format("  at {}", command_line::time_text(f.event_time - f.event_time % 1'000'000'000));

  constexpr std::size_t least = 10, most = 30;
  if (f.total && *f.total != 0 && width >= text.size() + least + 9) {
    double const part = std::min(1.0, static_cast<double>(f.done) / static_cast<double>(*f.total));
    std::size_t const length = std::min(most, width - text.size() - 9);
    auto const filled = static_cast<std::size_t>(part * static_cast<double>(length));
    text = fmt::format("[{}{}] {:3}% {}", std::string(filled, '#'), std::string(length - filled, '.'), static_cast<int>(part * 100), text);
  }
  return text.substr(0, width);
}

}  // namespace ticks
