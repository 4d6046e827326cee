#pragma once
#include <weir/aws/credentials_source.hpp>
#include <weir/aws/variables.hpp>
#include <weir/net/http_client.hpp>

namespace weir::aws {

/// What ECS and EKS lend the role of a container: from the URI in AWS_CONTAINER_CREDENTIALS_RELATIVE_URI (on 169.254.170.2) or
/// AWS_CONTAINER_CREDENTIALS_FULL_URI, with AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE, read each time, or AWS_CONTAINER_AUTHORIZATION_TOKEN
/// as Authorization. A full URI has to be https, or to lead to this machine or to ECS's or EKS's own addresses (169.254.170.2,
/// 169.254.170.23, fd00:ec2::23): credentials are sent in clear otherwise (`errc::invalid_option`).
/// Null without either variable. Throws `errc::unavailable` when the service answers something else than 200, `malformed`, what
/// `net::http_client` throws, and `io` for a token's file. Asks three times.
/// Source: "Container credential provider", AWS SDKs and tools reference guide.
class container_credentials final : public credentials_source {
public:
  explicit container_credentials(variables from = process_variables());
  std::string_view kind() const noexcept override { return "container"; }
  task<std::optional<credentials>> fetch() override;

private:
  variables from_;
  net::http_client client_;
};

}  // namespace weir::aws
