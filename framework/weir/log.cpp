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

logger logger::structured(log_level least, structured_function write) {
  logger out(least);
  if (write) out.structured_ = std::make_shared<structured_function const>(std::move(write));
  return out;
}

logger logger::with(std::string name, std::string value) const {
  logger out(*this);
  if (!structured_) return out;  // nobody hears of it
  auto more = fields_ ? std::make_shared<fields>(*fields_) : std::make_shared<fields>();
  more->emplace_back(std::move(name), std::move(value));
  out.fields_ = std::move(more);
  return out;
}

void logger::write(log_level level, std::string_view message) const noexcept {
  try {
    if (structured_) {
      std::vector<log_field> about;
      if (fields_)
        for (auto const& [name, value] : *fields_) about.emplace_back(name, value);
      (*structured_)(level, message, about);
    } else if (write_) write_(level, message);
    else write_line(level, message);
  } catch (...) {
    return;  // a message that cannot be written must not stop the work it is about
  }
}

}  // namespace weir
