#pragma once
#include <weir/aws/credentials_source.hpp>
#include <weir/aws/profile_files.hpp>
#include <weir/aws/variables.hpp>
#include <weir/net/http_client.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weir::aws {

/// Those of a profile in AWS's shared files (`profile_files`), which is the one that is named here, else AWS_PROFILE, else "default":
/// - `aws_access_key_id`, `aws_secret_access_key`, `aws_session_token`: as they are;
/// - `role_arn`: of that role, assumed by those of `source_profile` (which may be a role again; a profile that names itself has keys), of
///   `credential_source` (Environment, EcsContainer, Ec2InstanceMetadata), or for the token in `web_identity_token_file`; with
///   `role_session_name`, `external_id`, `duration_seconds`. The region's STS is asked;
/// - `sso_session`, or `sso_start_url` and `sso_region`, with `sso_account_id` and `sso_role_name`: of that role in IAM Identity Center,
///   for the token that `aws sso login` has left in ~/.aws/sso/cache; that of a session is renewed as long as it may be, and written back;
/// - `credential_process`: what a command prints, run by `/bin/sh -c` with this process's environment, so that quotes and variables mean
///   what they do there; within a minute, after which it is killed. What it says on standard error goes into the message when it fails,
///   its output never.
///
/// Null when there is no such profile, unless it was named here or by AWS_PROFILE, and when it has neither. Throws `errc::not_found` for a
/// profile that was named and is not there, and where nobody has logged in; `invalid_option` for half of a pair of keys, a role that nobody
/// assumes, profiles in a circle, settings of SSO that are missing, and for `login_session`, which is not read; `access_denied` for a token
/// whose time is up; `rejected`, `timed_out` and `malformed` for the command; what `profile_files::load`, `resolve`, `assume_role`,
/// `to_error` and the sources throw.
/// Source: "Shared config and credentials files", "Assume role credential provider", "IAM Identity Center credential provider" and "Process
/// credential provider", AWS SDKs and tools reference guide.
class profile_credentials final : public credentials_source {
public:
  explicit profile_credentials(std::string profile = {}, variables from = process_variables());
  std::string_view kind() const noexcept override { return "profile"; }
  task<std::optional<credentials>> fetch() override;

private:
  task<std::optional<credentials>> of(std::shared_ptr<profile_files const> files, std::string name, std::vector<std::string> asked);
  task<credentials> of_role(std::shared_ptr<profile_files const> files, std::string name, std::vector<std::string> asked);

  std::string profile_;
  variables from_;
  net::http_client client_;
};

}  // namespace weir::aws
