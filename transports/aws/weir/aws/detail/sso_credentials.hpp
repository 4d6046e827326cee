#pragma once
#include <weir/aws/credentials.hpp>
#include <weir/aws/profile_files.hpp>
#include <weir/aws/variables.hpp>
#include <weir/net/http_client.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>

namespace weir::aws::detail {

// Whether a profile is one of IAM Identity Center: it has sso_session or sso_start_url.
bool has_sso(profile_files::section const& s);

// Those of the role `sso_role_name` in the account `sso_account_id`, for the token that `aws sso login` has left: of the session that the
// profile names (`sso_session`), whose token is renewed from five minutes before its end and written back; or of the profile's own
// `sso_start_url`, whose token is not.
// Throws errc::invalid_option for settings that are missing; not_found when nobody has logged in; access_denied when the token's time is
// up, or the role is not allowed; what `resolve`, `to_error` and `net::http_client` throw. All say the profile.
// Source: "IAM Identity Center credential provider", AWS SDKs and tools reference guide; GetRoleCredentials, IAM Identity Center portal
// API; CreateToken, OIDC API reference.
task<credentials> sso_credentials(net::http_client client, std::shared_ptr<profile_files const> files, std::string profile, variables from);

}  // namespace weir::aws::detail
