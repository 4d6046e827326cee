#include <weir/aws/detail/canonical_request.hpp>

#include <weir/net/hashes.hpp>
#include <weir/net/percent.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace weir::aws::detail {
namespace {

// Without "." and "..", and without empty segments. Source: RFC 3986, section 5.2.4, and AWS's cases on slashes.
std::string normalized(std::string_view path) {
  std::vector<std::string_view> kept;
  bool folder = true;
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t const end = std::min(path.find('/', at), path.size());
    std::string_view const part = path.substr(at, end - at);
    folder = part.empty() || part == "." || part == "..";
    if (part == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (!folder) {
      kept.push_back(part);
    }
    at = end + 1;
  }
  std::string out = "/";
  for (std::string_view const part : kept) out.append(part).append("/");
  if (!folder) out.pop_back();
  return out;
}

// What the request line has, encoded once more, but for slashes.
std::string canonical_path(std::string_view path, path_form form) {
  std::string out;
  for (char const c : form == path_form::normalized ? normalized(path) : std::string(path)) {
    if (c == '/') out += c;
    else net::percent_encode(c, out);
  }
  return out.empty() ? "/" : out;
}

std::string encoded_anew(std::string_view text) {
  std::string out;
  for (char const c : net::percent_decoded(text)) net::percent_encode(c, out);
  return out;
}

// Ordered by what is sent.
std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> all;
  while (!query.empty()) {
    std::string_view const one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (one.empty()) continue;
    std::size_t const equals = std::min(one.find('='), one.size());
    all.emplace_back(encoded_anew(one.substr(0, equals)), encoded_anew(one.substr(std::min(equals + 1, one.size()))));
  }
  std::ranges::sort(all);
  std::string out;
  for (auto const& [name, value] : all) out.append(out.empty() ? "" : "&").append(name).append("=").append(value);
  return out;
}

// Without white space around it, and with one space for several.
void append_trimmed(std::string_view value, std::string& to) {
  bool begun = false, space = false;
  for (char const c : value) {
    if (c == ' ' || c == '\t') {
      space = begun;
      continue;
    }
    if (std::exchange(space, false)) to += ' ';
    to += c;
    begun = true;
  }
}

bool is_signed(std::string_view name) {
  constexpr std::array<std::string_view, 7> not_signed{"authorization", "connection", "expect",         "transfer-encoding",
                                                       "upgrade",       "user-agent", "x-amzn-trace-id"};
  return std::ranges::find(not_signed, name) == not_signed.end() && !name.starts_with("sec-websocket-");
}

}  // namespace

canonical_request canonical(std::string_view method, std::string_view target, net::headers const& all, std::string_view body_hash,
                            path_form form) {
  std::map<std::string, std::string> by_name;  // several of one name are one, in their order
  for (auto const& [name, value] : all) {
    std::string key = net::lower_case(name);
    if (!is_signed(key)) continue;
    auto const [at, first] = by_name.try_emplace(std::move(key));
    if (!first) at->second += ',';
    append_trimmed(value, at->second);
  }
  std::size_t const question = std::min(target.find('?'), target.size());
  canonical_request out;
  out.text.append(method).append("\n").append(canonical_path(target.substr(0, question), form)).append("\n");
  out.text.append(canonical_query(target.substr(std::min(question + 1, target.size())))).append("\n");
  for (auto const& [name, value] : by_name) {
    out.text.append(name).append(":").append(value).append("\n");
    out.signed_headers.append(out.signed_headers.empty() ? "" : ";").append(name);
  }
  out.text.append("\n").append(out.signed_headers).append("\n").append(body_hash);
  return out;
}

std::string string_to_sign(std::string_view canonical_text, signing_scope const& where, std::string_view date) {
  std::string out = "AWS4-HMAC-SHA256\n";
  out.append(date).append("\n").append(date.substr(0, 8)).append("/").append(where.region).append("/").append(where.service);
  return out.append("/aws4_request\n").append(net::to_hex(net::sha256(canonical_text)));
}

std::string signature(std::string_view secret, signing_scope const& where, std::string_view date, std::string_view text) {
  net::digest key = net::hmac_sha256("AWS4" + std::string(secret), date.substr(0, 8));
  for (std::string_view const part : {std::string_view(where.region), std::string_view(where.service), std::string_view("aws4_request")})
    key = net::hmac_sha256(net::bytes_of(key), part);
  return net::to_hex(net::hmac_sha256(net::bytes_of(key), text));
}

std::string date_text(instant when) {
  using namespace std::chrono;
  auto const at = floor<seconds>(sys_time<nanoseconds>(nanoseconds(when)));
  auto const day = floor<days>(at);
  year_month_day const date(day);
  hh_mm_ss const time(at - day);
  std::array<char, 64> out{};
  std::snprintf(out.data(), out.size(), "%04d%02u%02uT%02d%02d%02dZ", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return out.data();
}

}  // namespace weir::aws::detail
