#pragma once
#include <weir/aws/credentials_source.hpp>
#include <weir/aws/variables.hpp>
#include <weir/net/http_client.hpp>

namespace weir::aws {

/// Those of the role AWS_ROLE_ARN, for the token in the file AWS_WEB_IDENTITY_TOKEN_FILE, read each time, as Kubernetes sets them (IRSA);
/// the session is called AWS_ROLE_SESSION_NAME, or "weir". The region's STS is asked (`resolve`).
/// Null without AWS_WEB_IDENTITY_TOKEN_FILE. Throws `errc::invalid_option` when there is no AWS_ROLE_ARN, `io` when the file cannot be
/// read, what `resolve` and `assume_role_with_web_identity` throw.
/// Source: "Assume role credential provider", AWS SDKs and tools reference guide.
class web_identity_credentials final : public credentials_source {
public:
  explicit web_identity_credentials(variables from = process_variables());
  std::string_view kind() const noexcept override { return "web identity"; }
  task<std::optional<credentials>> fetch() override;

private:
  variables from_;
  net::http_client client_;
};

}  // namespace weir::aws
