#pragma once
#include <weir/aws/credentials_cache.hpp>
#include <weir/aws/endpoint.hpp>
#include <weir/aws/json_answer.hpp>
#include <weir/aws/retry_settings.hpp>
#include <weir/net/http_options.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::aws {

/// Which service is called, and how.
struct json_client_options {
  service of;
  std::string target;        ///< what stands before the operation in X-Amz-Target: "Kinesis_20131202", "DynamoDB_20120810"
  std::string content_type;  ///< "application/x-amz-json-1.1", or 1.0
  endpoint where;
  /// The code for what the service calls an error of its own ("ExpiredIteratorException"), in place of the common one that `to_error`
  /// gives; empty: it has none for it. Null: this service has none.
  std::optional<std::error_code> (*own_code)(std::string_view code) = nullptr;
  /// How often, and how late, a call is made again that failed for a while: lost connections, timeouts, throttling, 5xx. Default: AWS's
  /// "standard" mode: 3 times, up to 20 s apart. A delay that the service asks for (x-amz-retry-after, Retry-After) lengthens it by 5 s at
  /// most.
  retry_settings retry{retry_mode::standard, retry_policy().attempts(3).first_delay(std::chrono::seconds(1))};
  net::http_options http;
};

/// Calls operations of a service that speaks AWS's JSON protocol: signs each try by the credentials and the time there are then.
///
/// When the service says that the request is of another time, our clock is corrected by its own, and when it says that the time of the
/// credentials is up, they are fetched anew; either way the call is made again at once, one time. A reply whose x-amz-crc32 is wrong counts
/// as lost. Calls of one client have one budget of retries, and, in adaptive mode, one rate.
/// A copy is the same client. Thread-safety: as `net::http_client`.
class json_client {
public:
  json_client(json_client_options options, credentials_cache keys);

  /// The body of the reply. Fails with what `to_error` makes of the service's answer, and what `net::http_client` and the credentials
  /// throw; each says service, operation and how often it was tried. Cancelled: whether the service has done it is not known.
  task<std::string> call(std::string operation, std::string body) const;
  /// The same, but what the service refuses for what was asked, and would again (`service_error_kind::refused`, `not_found`), is an answer
  /// and not thrown: for operations where a refusal says more than that it is one.
  task<json_answer> ask(std::string operation, std::string body) const;
  /// How far the service's clock is ahead of ours, rather less than more: `clock_skew::at_least`.
  std::chrono::nanoseconds clock_ahead() const noexcept;

private:
  struct parts;
  enum class refusals : bool { thrown, answers };
  static task<std::string> call_by(std::shared_ptr<parts> p, std::string operation, std::string body);
  static task<json_answer> ask_by(std::shared_ptr<parts> p, std::string operation, std::string body, refusals are);
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::aws
