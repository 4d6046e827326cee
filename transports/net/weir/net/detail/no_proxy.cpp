#include <weir/net/detail/no_proxy.hpp>

#include <weir/error.hpp>
#include <weir/net/headers.hpp>

#include <algorithm>
#include <charconv>

namespace weir::net::detail {
namespace ip = boost::asio::ip;
using boost::system::error_code;

namespace {

[[noreturn]] void refuse(std::string_view entry, char const* what) {
  throw error(errc::invalid_option, "http: cannot use a proxy", "NO_PROXY has \"" + std::string(entry) + "\" in it, " + what,
              "write names, addresses or networks, parted by commas: localhost,.example.com,10.0.0.0/8");
}

// Cuts ":8443" off the end of what is no bare IPv6 address; 0: there is none.
std::uint16_t take_port(std::string_view& text, std::string_view entry) {
  std::size_t const colon = text.rfind(':');
  bool const bracketed = text.front() == '[';
  if (colon == text.npos || (bracketed && text[colon - 1] != ']') || (!bracketed && text.find(':') != colon)) return 0;
  std::uint16_t port = 0;
  std::string_view const digits = text.substr(colon + 1);
  auto const [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (failed != std::errc() || end != digits.data() + digits.size() || port == 0) refuse(entry, "whose port is none");
  text = text.substr(0, colon);
  return port;
}

}  // namespace

no_proxy::entry no_proxy::read(std::string_view const text) {
  entry out;
  std::string_view rest = text;
  out.port = take_port(rest, text);
  if (rest.size() > 2 && rest.front() == '[' && rest.back() == ']') rest = rest.substr(1, rest.size() - 2);
  error_code failed;
  std::string const place(rest);
  if (auto const slash = place.find('/'); slash != place.npos) {
    out.is_v6 = place.find(':') != place.npos;
    if (out.is_v6) out.v6 = ip::make_network_v6(place, failed);
    else out.v4 = ip::make_network_v4(place, failed);
    if (failed) refuse(text, "which is no network");
    return out;
  }
  ip::address const address = ip::make_address(place, failed);
  if (!failed) {
    out.is_v6 = address.is_v6();
    if (out.is_v6) out.v6 = {address.to_v6(), 128};
    else out.v4 = {address.to_v4(), 32};
    return out;
  }
  if (rest.starts_with("*.")) {
    out.below_only = true;
    rest.remove_prefix(1);
  }
  while (rest.starts_with('.')) rest.remove_prefix(1);
  while (rest.ends_with('.')) rest.remove_suffix(1);
  if (rest.empty()) refuse(text, "which is no name");
  out.name = lower_case(rest);
  return out;
}

no_proxy::no_proxy(std::string_view list) {
  constexpr std::string_view between = ", \t\r\n";
  while (true) {
    std::size_t const first = list.find_first_not_of(between);
    if (first == list.npos) return;
    list.remove_prefix(first);
    std::string_view const text = list.substr(0, list.find_first_of(between));
    list.remove_prefix(text.size());
    if (text == "*") all_ = true;
    else entries_.push_back(read(text));
  }
}

bool no_proxy::matches(entry const& e, std::string_view host, ip::address const* address) {
  if (!e.name.empty()) {
    if (address) return false;
    if (host == e.name) return !e.below_only;
    return host.size() > e.name.size() && host.ends_with(e.name) && host[host.size() - e.name.size() - 1] == '.';
  }
  if (!address || address->is_v6() != e.is_v6) return false;
  if (e.is_v6) return ip::network_v6(address->to_v6(), e.v6.prefix_length()).canonical() == e.v6.canonical();
  return ip::network_v4(address->to_v4(), e.v4.prefix_length()).canonical() == e.v4.canonical();
}

bool no_proxy::covers(std::string_view host, std::uint16_t port) const {
  if (all_) return true;
  while (host.ends_with('.')) host.remove_suffix(1);
  error_code no_address;
  ip::address const address = ip::make_address(std::string(host), no_address);
  return std::ranges::any_of(
      entries_, [&](entry const& e) { return (e.port == 0 || e.port == port) && matches(e, host, no_address ? nullptr : &address); });
}

}  // namespace weir::net::detail
