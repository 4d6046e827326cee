#include <weir/net/detail/proxy_settings.hpp>

#include <weir/net/detail/no_proxy.hpp>

#include <initializer_list>
#include <utility>

namespace weir::net::detail {
namespace {

// This machine, by one of its names.
bool is_here(std::string const& host) {
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  boost::system::error_code no_address;
  auto const address = boost::asio::ip::make_address(host, no_address);
  return !no_address && address.is_loopback();
}

}  // namespace

proxy_settings::proxy_settings(std::string fixed, variables const& from) : fixed_{"the option proxy", std::move(fixed)} {
  if (!fixed_.value.empty() || !from) return;
  auto const first = [&](std::initializer_list<char const*> names) -> setting {
    for (char const* const name : names)
      if (auto value = from(name)) return {name, *std::move(value)};
    return {};
  };
  secure_ = first({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
  // Not HTTP_PROXY: where a program answers requests by CGI, that is what somebody has sent as the header Proxy.
  plain_ = first({"http_proxy", "all_proxy", "ALL_PROXY"});
  directly_ = first({"no_proxy", "NO_PROXY"}).value;
}

std::optional<proxy> proxy_settings::for_url(url const& to) const {
  if (!fixed_.value.empty()) return proxy::parse(fixed_.value, fixed_.name);
  setting const& of = to.secure() ? secure_ : plain_;
  if (of.value.empty() || is_here(to.host()) || no_proxy(directly_).covers(to.host(), to.port())) return std::nullopt;
  return proxy::parse(of.value, of.name);
}

}  // namespace weir::net::detail
