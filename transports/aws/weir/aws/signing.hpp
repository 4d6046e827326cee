#pragma once
#include <weir/aws/credentials.hpp>
#include <weir/instant.hpp>
#include <weir/net/request.hpp>

#include <cstdint>
#include <string>

namespace weir::aws {

/// What a signature is good for.
struct signing_scope {
  std::string region;   ///< "eu-west-1"
  std::string service;  ///< as services call themselves there: "kinesis", "dynamodb"
};

/// How the path of a request is signed.
enum class path_form : std::uint8_t {
  normalized,  ///< without "." and "..", and with one slash for several: all services but S3
  as_it_is,    ///< S3, whose keys are any text
};

/// What else may be said about signing.
struct signing_options {
  path_form path = path_form::normalized;
  bool declare_body = false;  ///< adds the body's hash as X-Amz-Content-Sha256; it is signed either way
  bool sign_token = true;     ///< false: the session token is sent beside the signature; some services of old want it so
};

/// Signs a request as it will be sent (Signature Version 4): sets X-Amz-Date, X-Amz-Security-Token where there is a token, and
/// Authorization. Signed are method, path, query, body, Host, and all headers but those that a proxy may change (`Connection`, `Expect`,
/// `User-Agent`, `Upgrade`, `Sec-WebSocket-...`, `X-Amzn-Trace-Id`, `Transfer-Encoding`). A signed request is good for five minutes around
/// `when`, so a retry is signed anew: what was signed before is replaced. Headers must not change afterwards.
///
/// `when`: the time of the service, as far as it is known (`clock_skew`). Throws `errc::invalid_option` for a URL that is none, empty keys
/// or an empty scope. Pure.
/// Source: "Create a signed AWS API request" (IAM user guide); the cases of AWS's own test suite (aws-c-auth).
void sign(net::request& r, credentials const& by, signing_scope const& where, instant when, signing_options const& how = {});

}  // namespace weir::aws
