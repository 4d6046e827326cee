#include "redis_url.hpp"

#include <weir/error.hpp>

#include <charconv>
#include <limits>
#include <optional>

namespace state_tool {
namespace {

[[noreturn]] void refuse(std::string why) {
  throw weir::error(weir::errc::invalid_option, "weir: cannot use the URL of the Redis server", std::move(why),
                    "write redis://HOST:PORT/DATABASE, or redis:unix:PATH");
}

template <class Number> Number number(std::string_view text, char const* what) {
  Number out = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size()) refuse(std::string(what) + " is not a number that it can be");
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned byte = 0;
    auto const digits = text.substr(i + 1, 2);
    auto const [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || failed != std::errc() || end != digits.data() + 2)
      refuse("a % in it is not followed by two hexadecimal digits");
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

redis_place parse_socket(std::string_view text) {
  redis_place out;
  take(text, "//");
  auto const question = text.find("?db=");
  out.socket = text.substr(0, question);
  if (out.socket.empty()) refuse("it names no socket");
  if (question != std::string_view::npos) out.database = number<unsigned>(text.substr(question + 4), "the database");
  return out;
}

void take_user(std::string_view& text, redis_place& out) {
  auto const at = text.rfind('@');
  if (at == std::string_view::npos) return;
  auto const who = text.substr(0, at);
  text.remove_prefix(at + 1);
  auto const colon = who.find(':');
  out.user = unescaped(who.substr(0, colon));
  if (colon != std::string_view::npos) out.password = unescaped(who.substr(colon + 1));
}

void take_host(std::string_view text, redis_place& out) {
  bool const bracketed = text.starts_with('[');
  auto const end = bracketed ? text.find(']') : text.find(':');
  if (bracketed && end == std::string_view::npos) refuse("its [ has no ]");
  auto const host = bracketed ? text.substr(1, end - 1) : text.substr(0, end);
  auto rest = end == std::string_view::npos ? std::string_view() : text.substr(bracketed ? end + 1 : end);
  if (!host.empty()) out.host = host;
  if (rest.empty()) return;
  if (!take(rest, ":")) refuse("what follows the host is no port");
  out.port = number<std::uint16_t>(rest, "the port");
  if (out.port == 0) refuse("the port is 0");
}

}  // namespace

redis_place parse_redis_url(std::string_view text) {
  if (take(text, "unix:")) return parse_socket(text);
  take(text, "redis:");
  take(text, "//");
  redis_place out;
  take_user(text, out);
  auto const slash = text.find('/');
  take_host(text.substr(0, slash), out);
  auto const database = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
  if (!database.empty()) out.database = number<unsigned>(database, "the database");
  return out;
}

}  // namespace state_tool
