#pragma once
#include <weir/aws/credentials.hpp>
#include <weir/aws/endpoint.hpp>
#include <weir/instant.hpp>
#include <weir/net/http_client.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace weir::aws {

/// A role to become for a while.
struct role {
  std::string arn;          ///< "arn:aws:iam::123456789012:role/reader"
  std::string session;      ///< how the session is called in CloudTrail; 2 to 64 letters, digits, or one of _+=,.@-
  std::string external_id;  ///< where the role's owner wants one
  std::chrono::seconds duration = std::chrono::hours(1);  ///< 15 min to 12 h, as the role allows
};

/// Credentials of a role from the Security Token Service at `sts`, asked for by other credentials; `now` is the time to sign for.
/// Fails with what `to_error` makes of the service's refusal, and `errc::malformed` for an answer that has no credentials in it.
/// Source: "AssumeRole", AWS STS API reference.
task<credentials> assume_role(net::http_client client, endpoint sts, credentials by, role as, instant now);
/// The same by a token which somebody else has signed (Kubernetes, GitHub): no other credentials are needed.
/// Source: "AssumeRoleWithWebIdentity", AWS STS API reference.
task<credentials> assume_role_with_web_identity(net::http_client client, endpoint sts, std::string token, role as);

}  // namespace weir::aws
