#include <weir/file/dead_letter_line.hpp>

#include <weir/file/utf8.hpp>
#include <weir/rfc3339.hpp>

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cstdint>
#include <system_error>

namespace weir::file {
namespace {

// RFC 8259 section 7.
void add_quoted(std::string& to, std::string_view text) {
  to += '"';
  for (char const c : text) {
    if (c == '"' || c == '\\') (to += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20) to += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else to += c;
  }
  to += '"';
}

void add_member(std::string& to, std::string_view name, std::string_view bytes) {
  to += to.empty() ? '{' : ',';
  if (is_utf8(bytes)) {
    to += fmt::format("\"{}\":", name);
    add_quoted(to, bytes);
    return;
  }
  to += fmt::format("\"{}_hex\":\"", name);
  for (char const c : bytes) to += fmt::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  to += '"';
}

std::optional<std::string> bytes_of(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (; !digits.empty(); digits.remove_prefix(2)) {
    unsigned byte = 0;
    char const* const first = digits.data();
    char const* const last = first + 2;
    auto const [end, failed] = std::from_chars(first, last, byte, 16);
    if (failed != std::errc() || end != last) return std::nullopt;
    out += static_cast<char>(byte);
  }
  return out;
}

std::optional<std::string> member(simdjson::dom::object line, std::string_view name) {
  std::string_view text;
  if (line[name].get(text) == simdjson::SUCCESS) return std::string(text);
  if (line[std::string(name) + "_hex"].get(text) == simdjson::SUCCESS) return bytes_of(text);
  return std::nullopt;
}

}  // namespace

std::string dead_letter_line(dead_letter const& letter) {
  std::string out;
  add_member(out, "pipeline", letter.pipeline);
  add_member(out, "stream", letter.stream);
  add_member(out, "partition", letter.partition);
  add_member(out, "position", letter.position.text());
  add_member(out, "died_at", format_rfc3339(letter.died_at));
  out += fmt::format(",\"attempts\":{}", letter.attempts);
  add_member(out, "code", letter.code);
  add_member(out, "error", letter.error);
  add_member(out, "payload", letter.payload);
  return out += '}';
}

std::optional<dead_letter> parse_dead_letter(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object all;
  if (parser.parse(line.data(), line.size()).get(all) != simdjson::SUCCESS) return std::nullopt;
  dead_letter out;
  struct {
    std::string_view name;
    std::string& to;
  } const texts[] = {{"pipeline", out.pipeline}, {"stream", out.stream}, {"partition", out.partition},
                     {"code", out.code},         {"error", out.error},   {"payload", out.payload}};
  for (auto const& t : texts) {
    auto found = member(all, t.name);
    if (!found) return std::nullopt;
    t.to = *std::move(found);
  }
  std::string_view at, when;
  if (all["position"].get(at) != simdjson::SUCCESS || all["died_at"].get(when) != simdjson::SUCCESS ||
      all["attempts"].get(out.attempts) != simdjson::SUCCESS)
    return std::nullopt;
  auto const parsed_at = position::parse(at);
  auto const parsed_when = parse_rfc3339(when);
  if (!parsed_at || !parsed_when) return std::nullopt;
  out.position = *parsed_at;
  out.died_at = *parsed_when;
  return out;
}

}  // namespace weir::file
