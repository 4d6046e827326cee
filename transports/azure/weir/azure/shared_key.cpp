#include <weir/azure/shared_key.hpp>

#include <weir/azure/detail/string_to_sign.hpp>
#include <weir/error.hpp>
#include <weir/net/base64.hpp>
#include <weir/net/hashes.hpp>
#include <weir/net/http_date.hpp>
#include <weir/net/url.hpp>

#include <optional>
#include <utility>

namespace weir::azure {
namespace {

std::string secret_of(std::string_view account, std::string_view key) {
  auto const refuse = [](char const* why) {
    throw error(errc::invalid_option, "azure: the key of a storage account cannot be used", why,
                "use the account's name, and the key that the portal shows under \"Access keys\"");
  };
  if (account.empty()) refuse("it has no account");
  std::optional<std::string> bytes = net::from_base64(key);
  if (!bytes || bytes->empty()) refuse("it is no base64");
  return *std::move(bytes);
}

}  // namespace

shared_key::shared_key(std::string of_account, std::string_view key) : account(std::move(of_account)), secret(secret_of(account, key)) {}

void sign(net::request& r, shared_key const& by, instant when) {
  r.headers.set("x-ms-date", net::http_date(when));
  std::string const text = detail::string_to_sign(r, by.account, net::url::parse(r.url).value().target());
  auto const signature = net::hmac_sha256(by.secret, text);
  r.headers.set("Authorization", "SharedKey " + by.account + ':' + net::to_base64(net::bytes_of(signature)));
}

}  // namespace weir::azure
