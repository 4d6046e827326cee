#include <weir/aws/detail/sso_token.hpp>

#include <weir/aws/json_string.hpp>
#include <weir/error.hpp>
#include <weir/net/hashes.hpp>
#include <weir/rfc3339.hpp>

#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace weir::aws::detail {
namespace {

constexpr char const* no_token = "aws: no credentials";

[[noreturn]] void fail(int why, char const* what, std::string const& file) {
  throw error(errc::io, "aws: cannot keep a token", std::string(what) + ": " + std::error_code(why, std::generic_category()).message())
      .with_detail(file);
}

// The AWS CLI of old wrote "2020-01-01T00:00:00UTC".
std::optional<instant> time_of(std::string text) {
  if (text.ends_with("UTC")) text.replace(text.size() - 3, 3, "Z");
  auto const found = parse_rfc3339(text);
  if (!found) return std::nullopt;
  return *found;
}

void add(std::string& to, std::string_view name, std::string const& value) {
  if (value.empty()) return;
  to += to.size() == 1 ? "" : ", ";
  append_json_string(to, name);
  to += ": ";
  append_json_string(to, value);
}

}  // namespace

sso_token sso_token::parse(std::string const& json) {
  simdjson::ondemand::parser parser;
  simdjson::padded_string const text(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::object all;
  constexpr char const* log_in = "run `aws sso login`";
  if (parser.iterate(text).get(document) || document.get_object().get(all))
    throw error(errc::malformed, no_token, "the cached token is no JSON object", log_in);
  sso_token out;
  std::string expires;
  for (auto member : all) {
    std::string_view name, value;
    if (member.unescaped_key().get(name)) throw error(errc::malformed, no_token, "the cached token is no JSON object", log_in);
    if (member.value().get_string().get(value)) continue;
    if (name == "accessToken") out.access_token = value;
    else if (name == "expiresAt") expires = value;
    else if (name == "startUrl") out.start_url = value;
    else if (name == "region") out.region = value;
    else if (name == "clientId") out.client_id = value;
    else if (name == "clientSecret") out.client_secret = value;
    else if (name == "refreshToken") out.refresh_token = value;
    else if (name == "registrationExpiresAt") out.registered_until = time_of(std::string(value));
  }
  auto const until = time_of(std::move(expires));
  if (out.access_token.empty() || !until)
    throw error(errc::malformed, no_token, "the cached token has no accessToken and expiresAt", log_in);
  out.expires = *until;
  return out;
}

std::string sso_token::to_json() const {
  std::string out = "{";
  add(out, "startUrl", start_url);
  add(out, "region", region);
  add(out, "accessToken", access_token);
  add(out, "expiresAt", format_rfc3339(expires, 0));
  add(out, "clientId", client_id);
  add(out, "clientSecret", client_secret);
  if (registered_until) add(out, "registrationExpiresAt", format_rfc3339(*registered_until, 0));
  add(out, "refreshToken", refresh_token);
  return out + '}';
}

bool sso_token::renewable(instant now) const noexcept {
  return !client_id.empty() && !client_secret.empty() && !refresh_token.empty() && registered_until && now < *registered_until;
}

std::string sso_token_file(std::string const& home, std::string const& name) {
  return home + "/.aws/sso/cache/" + net::to_hex(net::sha1(name)) + ".json";
}

sso_token read_sso_token(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    bool const none = errno == ENOENT || errno == ENOTDIR;
    throw error(none ? errc::not_found : errc::io, no_token, none ? "nobody has logged in" : "the cached token cannot be read",
                "run `aws sso login`")
        .with_detail(file);
  }
  try {
    return sso_token::parse({std::istreambuf_iterator<char>(in), {}});
  } catch (error& e) {
    e.with_detail(file);
    throw;
  }
}

void write_sso_token(std::string const& file, sso_token const& token) {
  std::string part = file + ".XXXXXX";
  int const to = ::mkostemp(part.data(), O_CLOEXEC);  // which only this user may read
  if (to < 0) fail(errno, "it cannot be written", file);
  std::string const text = token.to_json();
  bool const written = ::write(to, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  int const why = errno;
  if (::close(to) == 0 && written && std::rename(part.c_str(), file.c_str()) == 0) return;
  int const last = written ? errno : why;
  ::unlink(part.c_str());
  fail(last, "it cannot be written", file);
}

}  // namespace weir::aws::detail
