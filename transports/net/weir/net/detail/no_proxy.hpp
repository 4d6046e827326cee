#pragma once
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::net::detail {

// The list of NO_PROXY: hosts that are asked directly. Entries are parted by commas or white space: a name stands for itself and all below
// it, with or without a dot before it ("*.example.com": only what is below); an address for itself; a network ("10.0.0.0/8",
// "fd00::/8") for the addresses in it; each may have a port ("example.com:8443", "[::1]:80"); "*" stands for all. Names are not resolved.
// Source: "NO_PROXY" in the manual of curl; ports and "*." as Go's net/http has them.
class no_proxy {
public:
  // Throws errc::invalid_option for a network or a port that is none.
  explicit no_proxy(std::string_view list);
  // `host` in lower case, an address without brackets.
  bool covers(std::string_view host, std::uint16_t port) const;

private:
  struct entry {
    std::string name;  // in lower case, without a dot before it; empty: a network
    boost::asio::ip::network_v4 v4;
    boost::asio::ip::network_v6 v6;
    bool is_v6 = false, below_only = false;
    std::uint16_t port = 0;  // 0: any
  };
  static entry read(std::string_view text);
  static bool matches(entry const& e, std::string_view host, boost::asio::ip::address const* address);

  bool all_ = false;
  std::vector<entry> entries_;
};

}  // namespace weir::net::detail
