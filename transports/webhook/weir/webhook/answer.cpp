#include <weir/webhook/answer.hpp>

#include <weir/net/retry_after.hpp>

#include <algorithm>
#include <utility>

namespace weir::webhook {
namespace {

constexpr std::size_t longest_piece = 200;

error refusal(errc code, net::response const& answer, std::string what, std::string advice) {
  std::string why = "status " + std::to_string(answer.status);
  if (auto const where = answer.headers.find("Location"); where && answer.status / 100 == 3) why.append(", to ").append(*where);
  if (!answer.body.empty()) why.append(": ").append(beginning_of(answer.body));
  return error(code, "webhook: " + std::move(what), std::move(why), std::move(advice));
}

}  // namespace

std::optional<error> failure_in(net::response const& answer) {
  unsigned const s = answer.status;
  if (s / 100 == 2) return std::nullopt;
  if (s == 429) return refusal(errc::throttled, answer, "the receiver asks for fewer requests", "");
  if (s == 408 || s == 425 || s / 100 == 5) return refusal(errc::unavailable, answer, "the receiver cannot take rows at the moment", "");
  if (s == 401 || s == 403 || s == 407)
    return refusal(errc::access_denied, answer, "the receiver does not let us in", "correct the headers, or the secret");
  if (s == 404 || s == 405 || s == 410 || s / 100 == 3)
    return refusal(errc::not_found, answer, "the receiver is not there", "correct the URL");
  if (s / 100 == 4) return refusal(errc::rejected, answer, "the receiver refuses rows", "correct them, or their encoder");
  return refusal(errc::incompatible, answer, "the receiver answers with an unknown status", "");
}

std::chrono::nanoseconds wait_asked_for(net::response const& answer, instant now, std::chrono::nanoseconds longest) noexcept {
  auto const value = answer.headers.find("Retry-After");
  if (!value) return {};
  return std::min(net::parse_retry_after(*value, now).value_or(longest.zero()), longest);
}

std::string beginning_of(std::string const& text) {
  std::size_t size = std::min(text.size(), longest_piece);
  // Not through the middle of a character of UTF-8, whose later bytes are 10xxxxxx.
  while (size != text.size() && size != 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  std::string out = text.substr(0, size);
  std::ranges::replace_if(out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  if (size != text.size()) out += "...";
  return out;
}

}  // namespace weir::webhook
