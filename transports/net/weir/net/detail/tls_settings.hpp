#pragma once
#include <boost/asio/ssl/context.hpp>

#include <mutex>
#include <optional>
#include <string>

namespace weir::net::detail {

// What clients need for TLS: whom to trust, and TLS 1.2 at least. Made when it is first asked for. From any strand.
class tls_settings {
public:
  explicit tls_settings(std::string ca_file) noexcept : ca_file_(std::move(ca_file)) {}
  // Fails with errc::invalid_option when the certificates cannot be read.
  boost::asio::ssl::context& get();

private:
  std::string ca_file_;
  std::mutex lock_;
  std::optional<boost::asio::ssl::context> made_;
};

}  // namespace weir::net::detail
