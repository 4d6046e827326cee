#include <weir/net/detail/tls_settings.hpp>

#include <weir/error.hpp>

namespace weir::net::detail {
namespace ssl = boost::asio::ssl;

ssl::context& tls_settings::get() {
  std::lock_guard const held(lock_);
  if (made_) return *made_;
  ssl::context made(ssl::context::tls_client);
  made.set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  made.set_verify_mode(ssl::verify_peer);
  boost::system::error_code failed;
  failed = ca_file_.empty() ? made.set_default_verify_paths(failed) : made.load_verify_file(ca_file_, failed);
  if (failed) {
    throw error(errc::invalid_option, "http: cannot use TLS", "the authorities' certificates cannot be read: " + failed.message(),
                "name a file in PEM form in ca_file")
        .with_detail(ca_file_.empty() ? std::string("the system's") : ca_file_);
  }
  return made_.emplace(std::move(made));
}

}  // namespace weir::net::detail
