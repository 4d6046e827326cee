#include <weir/net/url.hpp>

#include <weir/error.hpp>
#include <weir/net/headers.hpp>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <charconv>

namespace weir::net {

std::string_view to_string(url_fault fault) noexcept {
  switch (fault) {
    case url_fault::malformed: return "is no absolute URL";
    case url_fault::other_scheme: return "begins with neither http: nor https:";
    case url_fault::no_host: return "names no host";
    case url_fault::user_info: return "has a user or a password in it; put them into a header";
    case url_fault::bad_port: return "has a port that is not between 1 and 65535";
  }
  return "cannot be used";
}

void throw_exception_from_error(url_fault fault, boost::source_location const&) {
  throw error(errc::invalid_option, "url: cannot be used", "it " + std::string(to_string(fault)));
}

boost::system::result<url, url_fault> url::parse(std::string_view text) {
  auto const parsed = boost::urls::parse_uri({text.data(), text.size()});
  if (!parsed) return url_fault::malformed;
  boost::urls::url_view const& u = *parsed;
  url out;
  if (u.scheme_id() == boost::urls::scheme::https) out.secure_ = true;
  else if (u.scheme_id() != boost::urls::scheme::http) return url_fault::other_scheme;
  if (u.has_userinfo()) return url_fault::user_info;
  std::string_view host(u.encoded_host().data(), u.encoded_host().size());
  if (host.empty()) return url_fault::no_host;
  if (host.front() == '[') host = host.substr(1, host.size() - 2);
  if (host.find('%') != host.npos) return url_fault::malformed;  // an escaped name is none that DNS knows
  out.host_ = lower_case(host);
  out.port_ = out.secure_ ? 443 : 80;
  if (std::string_view const port(u.port().data(), u.port().size()); !port.empty()) {
    auto const [end, failed] = std::from_chars(port.data(), port.data() + port.size(), out.port_);
    if (failed != std::errc() || end != port.data() + port.size() || out.port_ == 0) return url_fault::bad_port;
  }
  out.target_.assign(u.encoded_path().data(), u.encoded_path().size());
  if (out.target_.empty()) out.target_ = "/";
  if (out.target_.front() != '/') return url_fault::malformed;  // behind a port of letters, which Boost 1.81 takes for none
  if (u.has_query()) out.target_.append("?").append(u.encoded_query().data(), u.encoded_query().size());
  return out;
}

std::string url::authority() const {
  std::string out = host_.find(':') == std::string::npos ? host_ : '[' + host_ + ']';
  if (port_ != (secure_ ? 443 : 80)) out += ':' + std::to_string(port_);
  return out;
}

std::string url::origin() const { return (secure_ ? "https://" : "http://") + authority(); }

}  // namespace weir::net
