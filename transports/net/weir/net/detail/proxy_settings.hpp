#pragma once
#include <weir/net/detail/proxy.hpp>
#include <weir/net/url.hpp>
#include <weir/net/variables.hpp>

#include <optional>
#include <string>

namespace weir::net::detail {

// Which proxy is asked for which URL, as `http_client` says.
class proxy_settings {
public:
  // `fixed`: for all; empty: as the variables say, which are read here.
  proxy_settings(std::string fixed, variables const& from);
  // Null: the server itself is asked. Throws errc::invalid_option for a proxy, or a NO_PROXY, that cannot be used.
  std::optional<proxy> for_url(url const& to) const;

private:
  struct setting {
    std::string name, value;
  };
  setting fixed_, secure_, plain_;
  std::string directly_;
};

}  // namespace weir::net::detail
