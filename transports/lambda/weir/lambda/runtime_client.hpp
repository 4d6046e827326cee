#pragma once
#include <weir/lambda/runtime.hpp>
#include <weir/net/http_client.hpp>
#include <weir/retry_policy.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>

namespace weir::lambda {

/// Where the Runtime API is, and how it is asked.
struct runtime_client_options {
  /// "host:port"; empty: the environment's AWS_LAMBDA_RUNTIME_API, which the service sets.
  std::string address = {};
  /// For requests that get no answer since the connection cannot be made or is lost. The clock is the context's.
  retry_policy retry = retry_policy().first_delay(std::chrono::milliseconds(20)).cap(std::chrono::seconds(1));
  /// How long a response or an error may take to be posted, > 0, by the system's clock. Waiting for an invocation has no limit: the process
  /// may be frozen meanwhile.
  std::chrono::milliseconds post_timeout = std::chrono::seconds(30);
};

/// Lambda's Runtime API, 2018-06-01, over HTTP/1.1: the loop of a custom runtime.
///
/// - A lost connection: `next` asks again, which gives the same invocation if one was handed out. A post is sent again, and when the
/// service
///   then says that it knows of no such invocation any more, the first one had arrived.
/// - Any other refusal, and every status of 500 and above, is an error behind which the process has to end; the service starts another and
///   delivers the records again.
/// - An answer that is streamed is sent again only where nothing of it was pulled. When it fails half-way, the service is told by trailers
///   (`Lambda-Runtime-Function-Error-Type`, "Weir.AnswerFailed", and `-Body`), as the status of its answer is with the reader already.
///
/// Errors: `errc::unavailable` (no connection after all tries, or the service asks the process to end), `errc::rejected`, `errc::malformed`
/// (a reply without a request id), `errc::too_large`: the answer has more than `most_answer` bytes and was not sent, so that `fail` can
/// still be; `errc::invalid_option` when made. Cancelled: at once.
/// Source: "Using the Lambda runtime API for custom runtimes", AWS Lambda developer guide; "Lambda quotas", ibid.
class runtime_client final : public runtime {
public:
  /// Bytes of an answer, 6 MB.
  static constexpr std::size_t most_answer = std::size_t{6} * 1024 * 1024;

  /// Throws `errc::invalid_option` when there is no address: the program does not run in Lambda.
  explicit runtime_client(runtime_client_options o = {});

  task<std::optional<invocation>> next() override;
  task<> respond(std::string request_id, std::string answer) override;
  task<> respond(std::string request_id, streamed_answer answer) override;
  task<> fail(std::string request_id, function_error why) override;
  task<> fail_init(function_error why) override;

private:
  task<net::response> send(net::http_client by, net::request ask, char const* what, unsigned& tries) const;
  task<> wait_or_fail(std::exception_ptr failure, unsigned tries, char const* what) const;
  task<> post(std::string path, std::string body, std::string type, char const* what) const;

  std::string base_;
  retry_policy retry_;
  net::http_client waiting_, posting_;
};

}  // namespace weir::lambda
