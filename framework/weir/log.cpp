#include <weir/log.hpp>

#include <weir/rfc3339.hpp>

#include <chrono>
#include <cstdio>
#include <string>

namespace weir {
namespace {

// One call of fwrite per line, so that lines of several strands do not mix.
void write_line(log_level level, std::string_view message) {
  std::string line = format_rfc3339(to_instant(std::chrono::system_clock::now()), 3);
  line.append(" ").append(to_string(level)).append(": ");
  for (char const c : message) {
    if (c == '\n') line += "\\n";
    else if (c == '\r') line += "\\r";
    else line += c;
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

std::string_view to_string(log_level level) noexcept {
  switch (level) {
    case log_level::debug: return "debug";
    case log_level::info: return "info";
    case log_level::warning: return "warning";
    case log_level::error: return "error";
  }
  return "unknown";
}

void logger::write(log_level level, std::string_view message) const noexcept {
  try {
    if (write_) write_(level, message);
    else write_line(level, message);
  } catch (...) {
    return;  // a message that cannot be written must not stop the work it is about
  }
}

}  // namespace weir
