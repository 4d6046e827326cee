#include <weir/file/dead_letter_line.hpp>

#include <weir/file/json_member.hpp>
#include <weir/rfc3339.hpp>

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cstdint>
#include <system_error>

namespace weir::file {
namespace {

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

std::string dead_letter_line(weir::dead_letter const& letter) {
  std::string out;
  add_json_member(out, "pipeline", letter.pipeline);
  add_json_member(out, "stream", letter.stream);
  add_json_member(out, "partition", letter.partition);
  add_json_member(out, "position", letter.position.text());
  add_json_member(out, "died_at", format_rfc3339(letter.died_at));
  out += fmt::format(",\"attempts\":{}", letter.attempts);
  add_json_member(out, "code", letter.code);
  add_json_member(out, "error", letter.error);
  add_json_member(out, "payload", letter.payload);
  return out += '}';
}

std::optional<weir::dead_letter> parse_dead_letter(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object all;
  if (parser.parse(line.data(), line.size()).get(all) != simdjson::SUCCESS) return std::nullopt;
  weir::dead_letter out;
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
