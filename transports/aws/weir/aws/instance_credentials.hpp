#pragma once
#include <weir/aws/credentials_source.hpp>
#include <weir/aws/variables.hpp>
#include <weir/net/http_client.hpp>

namespace weir::aws {

/// What EC2 lends the role of a machine: from the instance metadata service, version 2 (with a session token; version 1 is not asked), on
/// 169.254.169.254, or where AWS_EC2_METADATA_SERVICE_ENDPOINT says.
/// Null when AWS_EC2_METADATA_DISABLED is "true", when nobody answers there within a second (this is no EC2), or when the machine has
/// no role. Throws `errc::unavailable` and `malformed` for answers that are none, `access_denied` when the service refuses its token.
/// Source: "IMDS credential provider", AWS SDKs and tools reference guide; "Retrieve security credentials from instance metadata", EC2
/// user guide.
class instance_credentials final : public credentials_source {
public:
  explicit instance_credentials(variables from = process_variables());
  std::string_view kind() const noexcept override { return "instance"; }
  task<std::optional<credentials>> fetch() override;

private:
  task<std::string> token(std::string base) const;
  variables from_;
  net::http_client client_;
};

}  // namespace weir::aws
