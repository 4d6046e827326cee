#include <weir/aws/service_error.hpp>

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

namespace weir::aws {
namespace {

// "com.amazonaws.kinesis#ExpiredIteratorException:http://..." is ExpiredIteratorException.
std::string_view bare(std::string_view code) noexcept {
  code = code.substr(0, code.find(':'));
  return code.substr(code.find('#') == code.npos ? 0 : code.find('#') + 1);
}

// A member that is a text; nothing of a body that is no JSON object.
void read_body(std::string const& body, service_error& into) {
  simdjson::ondemand::parser parser;
  simdjson::padded_string const text(body);
  simdjson::ondemand::document json;
  simdjson::ondemand::object all;
  if (parser.iterate(text).get(json) || json.get_object().get(all)) return;
  for (auto member : all) {
    std::string_view name, value;
    if (member.unescaped_key().get(name)) return;
    bool const code = name == "__type" || name == "code" || name == "Code", message = name == "message" || name == "Message";
    if ((!code && !message) || member.value().get_string().get(value)) continue;
    std::string& to = code ? into.code : into.message;
    if (to.empty()) to = code ? bare(value) : value;
  }
}

template <std::size_t N> bool is_one_of(std::string_view code, std::array<std::string_view, N> const& of) noexcept {
  return std::ranges::find(of, code) != of.end();
}

// Three mistakes have the code of a signature that does not match, and differ in what is said of it; nothing else hangs on the text.
std::string_view advice_for(service_error_kind k, std::string_view said) noexcept {
  auto const says = [&](std::string_view part) { return said.find(part) != said.npos; };
  if (k == service_error_kind::credentials && says("valid region")) return "correct the region, or the endpoint";
  if (k == service_error_kind::credentials && (says("Signature expired") || says("Signature not yet current")))
    return "correct this machine's clock";
  switch (k) {
    case service_error_kind::throttled: return "ask less often, or raise the limit";
    case service_error_kind::transient: return "try again later";
    case service_error_kind::clock: return "correct this machine's clock";
    case service_error_kind::expired_token: return "get new credentials";
    case service_error_kind::credentials: return "correct the access key, or its secret";
    case service_error_kind::forbidden: return "allow it to this identity";
    case service_error_kind::not_found: return "correct the name, the region or the endpoint";
    case service_error_kind::refused: break;
  }
  return {};
}

errc code_for(service_error_kind k) noexcept {
  switch (k) {
    case service_error_kind::throttled: return errc::throttled;
    case service_error_kind::transient: return errc::unavailable;
    case service_error_kind::not_found: return errc::not_found;
    case service_error_kind::refused: return errc::rejected;
    default: return errc::access_denied;
  }
}

}  // namespace

std::optional<service_error> read_service_error(net::response const& answer) {
  if (answer.status >= 200 && answer.status < 300) return std::nullopt;
  service_error out;
  out.status = answer.status;
  if (auto const type = answer.headers.find("x-amzn-ErrorType")) out.code = bare(*type);
  for (char const* const name : {"x-amzn-RequestId", "x-amz-request-id"})
    if (auto const id = answer.headers.find(name); id && out.request_id.empty()) out.request_id = *id;
  read_body(answer.body, out);
  return out;
}

// Source: the error codes which the AWS SDKs retry ("Retry behavior", SDKs and tools reference guide) or correct their clocks at, and
// "Common errors" of Kinesis and DynamoDB.
service_error_kind kind_of(service_error const& e) noexcept {
  static constexpr std::array<std::string_view, 15> throttling{"Throttling",
                                                               "ThrottlingException",
                                                               "ThrottledException",
                                                               "RequestThrottledException",
                                                               "RequestThrottled",
                                                               "TooManyRequestsException",
                                                               "ProvisionedThroughputExceededException",
                                                               "TransactionInProgressException",
                                                               "RequestLimitExceeded",
                                                               "BandwidthLimitExceeded",
                                                               "LimitExceededException",
                                                               "SlowDown",
                                                               "PriorRequestNotComplete",
                                                               "EC2ThrottledException",
                                                               "KMSThrottlingException"};
  static constexpr std::array<std::string_view, 7> passing{"RequestTimeout",    "RequestTimeoutException",  "InternalError",
                                                           "InternalFailure",   "InternalFailureException", "InternalServerError",
                                                           "ServiceUnavailable"};
  static constexpr std::array<std::string_view, 3> time{"RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture"};
  static constexpr std::array<std::string_view, 3> expired{"ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"};
  static constexpr std::array<std::string_view, 8> keys{"UnrecognizedClientException",  "InvalidClientTokenId",
                                                        "InvalidSignatureException",    "SignatureDoesNotMatch",
                                                        "MissingAuthenticationToken",   "MissingAuthenticationTokenException",
                                                        "IncompleteSignatureException", "AuthFailure"};
  static constexpr std::array<std::string_view, 5> denied{"AccessDenied", "AccessDeniedException", "ForbiddenException", "NotAuthorized",
                                                          "KMSAccessDeniedException"};
  static constexpr std::array<std::string_view, 3> missing{"ResourceNotFoundException", "NotFoundException", "NoSuchEntity"};
  using enum service_error_kind;
  if (is_one_of(e.code, throttling) || e.status == 429) return throttled;
  if (is_one_of(e.code, time)) return clock;
  if (is_one_of(e.code, expired)) return expired_token;
  if (is_one_of(e.code, keys)) return credentials;
  if (is_one_of(e.code, denied)) return service_error_kind::forbidden;
  if (is_one_of(e.code, missing)) return not_found;
  if (is_one_of(e.code, passing) || e.status >= 500 || e.status == 408) return transient;
  if (e.code.empty() && (e.status == 401 || e.status == 403)) return service_error_kind::forbidden;
  return refused;
}

error to_error(service_error const& e, std::string failed, std::optional<std::error_code> own) {
  service_error_kind const kind = kind_of(e);
  std::string why = e.code.empty() ? "the service answers with status " + std::to_string(e.status) : e.code;
  // Behind the first line there is what should have been signed, the token of the session included.
  std::string const said = kind == service_error_kind::credentials ? e.message.substr(0, e.message.find_first_of("\r\n")) : e.message;
  if (!said.empty()) why += ": " + said;
  error out(own.value_or(code_for(kind)), std::move(failed), std::move(why),
            own ? std::string() : std::string(advice_for(kind, e.message)));
  if (!e.request_id.empty()) out.with_request_id(e.request_id);
  return out;
}

}  // namespace weir::aws
