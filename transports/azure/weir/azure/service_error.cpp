#include <weir/azure/service_error.hpp>

#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace weir::azure {
namespace {

template <std::size_t N> bool is_any_of(std::string_view code, std::array<std::string_view, N> const& of) noexcept {
  return std::ranges::find(of, code) != of.end();
}

// <Error><Code>BlobNotFound</Code><Message>The specified blob does not exist. and, in lines of their own, id and time</Message></Error>
void read_error_body(std::string const& body, service_error& into) {
  pugi::xml_document xml;
  if (!xml.load_buffer(body.data(), body.size())) return;
  pugi::xml_node const said = xml.child("Error");
  if (into.code.empty()) into.code = said.child_value("Code");
  std::string_view const message = said.child_value("Message");
  into.message = message.substr(0, message.find_first_of("\r\n"));
}

std::string_view advice_for(service_error const& e, service_error_kind k) noexcept {
  if (e.code == "KeyBasedAuthenticationNotPermitted") return "the account allows no keys: use tokens of Microsoft Entra ID";
  if (e.code == "AuthorizationPermissionMismatch" || e.code == "InsufficientAccountPermissions")
    return "give this identity the role \"Storage Blob Data Contributor\", or the signature the permissions to read, write, list and "
           "delete";
  if (e.code == "ContainerNotFound") return "create the container, or correct its name";
  switch (k) {
    case service_error_kind::throttled: return "ask less often, or use another storage account";
    case service_error_kind::transient: return "try again later";
    case service_error_kind::credentials: return "correct the account's key, the signature or the token; or this machine's clock";
    case service_error_kind::forbidden: return "correct the account's key or the signature, and look at the account's firewall";
    case service_error_kind::not_found: return "correct the account, the container or the name";
    case service_error_kind::condition:
    case service_error_kind::refused: break;
  }
  return {};
}

errc code_for(service_error_kind k) noexcept {
  switch (k) {
    case service_error_kind::throttled: return errc::throttled;
    case service_error_kind::transient: return errc::unavailable;
    case service_error_kind::not_found: return errc::not_found;
    case service_error_kind::condition: return errc::stale;
    case service_error_kind::refused: return errc::rejected;
    default: return errc::access_denied;
  }
}

}  // namespace

std::optional<service_error> read_service_error(net::response const& answer) {
  if (answer.status >= 200 && answer.status < 300) return std::nullopt;
  service_error out;
  out.status = answer.status;
  out.code = answer.headers.find("x-ms-error-code").value_or("");
  out.request_id = answer.headers.find("x-ms-request-id").value_or("");
  read_error_body(answer.body, out);
  return out;
}

service_error_kind kind_of(service_error const& e) noexcept {
  static constexpr std::array<std::string_view, 2> busy{"ServerBusy", "TooManyRequests"};
  static constexpr std::array<std::string_view, 3> passing{"InternalError", "OperationTimedOut", "AccountIsBusy"};
  static constexpr std::array<std::string_view, 4> unknown{"AuthenticationFailed", "InvalidAuthenticationInfo",
                                                           "NoAuthenticationInformation", "AuthenticationFailedWithDetails"};
  static constexpr std::array<std::string_view, 3> unmet{"ConditionNotMet", "BlobAlreadyExists", "TargetConditionNotMet"};
  using enum service_error_kind;
  if (is_any_of(e.code, busy) || e.status == 429) return throttled;
  if (is_any_of(e.code, passing) || e.status >= 500 || e.status == 408) return transient;
  if (is_any_of(e.code, unknown) || e.status == 401) return credentials;
  if (e.status == 403) return service_error_kind::forbidden;
  if (e.status == 404) return not_found;
  if (is_any_of(e.code, unmet) || (e.code.empty() && (e.status == 409 || e.status == 412))) return service_error_kind::condition;
  return refused;
}

error to_error(service_error const& e, std::string failed) {
  service_error_kind const kind = kind_of(e);
  std::string why = e.code.empty() ? "the service answers with status " + std::to_string(e.status) : e.code;
  if (!e.message.empty()) why += ": " + e.message;
  error out(code_for(kind), std::move(failed), std::move(why), std::string(advice_for(e, kind)));
  if (!e.request_id.empty()) out.with_request_id(e.request_id);
  return out;
}

}  // namespace weir::azure
