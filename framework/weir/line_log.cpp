#include <weir/line_log.hpp>

#include <weir/detail/repeated_messages.hpp>
#include <weir/detail/valid_utf8.hpp>
#include <weir/instant.hpp>
#include <weir/rfc3339.hpp>

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace weir {
namespace {

// RFC 8259 section 7.
void append_json_text(std::string& to, std::string_view bytes) {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string const text = detail::valid_utf8(bytes);
  to += '"';
  for (char const c : text) {
    auto const code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (to += '\\') += c;
    else if (c == '\n') to += "\\n";
    else if (code < 0x20 || code == 0x7f) ((to += "\\u00") += hex[code >> 4]) += hex[code & 15];
    else to += c;
  }
  to += '"';
}

void append_in_a_line(std::string& to, std::string_view text) {
  for (char const c : text) {
    if (c == '\n') to += "\\n";
    else if (c == '\r') to += "\\r";
    else to += c;
  }
}

class line_writer {
public:
  explicit line_writer(line_log_options o)
      : options_(std::move(o)),
        json_(options_.form == log_form::json || (options_.form == log_form::automatic && ::isatty(STDERR_FILENO) == 0)),
        repeated_(options_.repeats) {}

  void say(log_level level, std::string_view message, std::span<log_field const> about) {
    std::chrono::nanoseconds const now =
        options_.now ? options_.now() : std::chrono::nanoseconds(to_instant(std::chrono::system_clock::now()));
    std::lock_guard const held(lock_);
    std::optional<std::uint64_t> const left_out = repeated_.say(level, message, now);
    if (!left_out) return;
    std::string const line = json_ ? json_line(level, message, about, now, *left_out) : text_line(level, message, now, *left_out);
    if (options_.write) options_.write(line);
    else std::fwrite(line.data(), 1, line.size(), stderr);
  }

private:
  static std::string json_line(log_level level, std::string_view message, std::span<log_field const> about, std::chrono::nanoseconds now,
                               std::uint64_t left_out) {
    std::string line =
        R"({"time":")" + format_rfc3339(now.count(), 3) + R"(","level":")" + std::string(to_string(level)) + R"(","message":)";
    append_json_text(line, message);
    for (log_field const& f : about) {
      line += ',';
      append_json_text(line, f.name);
      line += ':';
      append_json_text(line, f.value);
    }
    if (left_out != 0) line += R"(,"left_out":)" + std::to_string(left_out);
    return line += "}\n";
  }
  static std::string text_line(log_level level, std::string_view message, std::chrono::nanoseconds now, std::uint64_t left_out) {
    std::string line = format_rfc3339(now.count(), 3) + " " + std::string(to_string(level)) + ": ";
    append_in_a_line(line, message);
    if (left_out != 0) line += " (and " + std::to_string(left_out) + " more like it since the last one)";
    return line += '\n';
  }

  line_log_options const options_;
  bool const json_;
  std::mutex lock_;
  detail::repeated_messages repeated_;
};

}  // namespace

logger line_log(line_log_options options) {
  log_level const least = options.least;
  auto const writer = std::make_shared<line_writer>(std::move(options));
  return logger::structured(
      least, [writer](log_level level, std::string_view message, std::span<log_field const> about) { writer->say(level, message, about); });
}

}  // namespace weir
