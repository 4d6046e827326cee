#include <weir/net/detail/proxy.hpp>

#include <weir/error.hpp>
#include <weir/net/base64.hpp>
#include <weir/net/url.hpp>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <utility>

namespace weir::net::detail {
namespace {

[[noreturn]] void refuse(std::string const& source, std::string why, std::string advice) {
  throw error(errc::invalid_option, "http: cannot use a proxy", source + ' ' + std::move(why), std::move(advice));
}

}  // namespace

proxy proxy::parse(std::string_view text, std::string source) {
  constexpr char const* form = "write http://proxy:3128, or http://user:password@proxy:3128, with %40 for an @ in the password";
  std::string whole(text);
  if (whole.find("://") == std::string::npos) whole.insert(0, "http://");
  auto const parsed = boost::urls::parse_uri({whole.data(), whole.size()});
  if (!parsed) refuse(source, "is no URL", form);
  if (parsed->scheme_id() != boost::urls::scheme::http)
    refuse(source, "begins with " + std::string(parsed->scheme()) + "://, and only http:// is spoken to proxies", form);
  proxy out;
  if (parsed->has_userinfo()) {
    std::string const login = parsed->user() + ':' + parsed->password();  // without escapes
    out.authorization = "Basic " + to_base64(login);
  }
  auto const place = url::parse("http://" + std::string(parsed->encoded_host_and_port()));
  if (!place) refuse(source, std::string(to_string(place.error())), form);
  out.host = place->host();
  out.port = place->port();
  out.authority = (out.host.find(':') == out.host.npos ? out.host : '[' + out.host + ']') + ':' + std::to_string(out.port);
  out.source = std::move(source);
  return out;
}

std::string proxy::text() const { return "by the proxy " + authority + " of " + source; }

}  // namespace weir::net::detail
