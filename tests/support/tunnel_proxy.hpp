#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::test {

/// A proxy on a free port of this machine that lets through what CONNECT asks for: every host is this machine to it. Threads of its own.
class tunnel_proxy {
public:
  tunnel_proxy();
  tunnel_proxy(tunnel_proxy const&) = delete;
  tunnel_proxy& operator=(tunnel_proxy const&) = delete;
  ~tunnel_proxy();

  std::uint16_t port() const noexcept;
  /// The headers of the requests that came, as they came.
  std::vector<std::string> seen() const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::test
