#pragma once
#include <weir/aws/credentials_source.hpp>
#include <weir/aws/variables.hpp>

#include <string>

namespace weir::aws {

/// The keys of a profile in AWS's shared files (`profile_files`): `aws_access_key_id`, `aws_secret_access_key`, `aws_session_token`.
/// The profile is the one that is named here, else AWS_PROFILE, else "default".
/// Null when there is no such profile, unless it was named here or by AWS_PROFILE, or when it has no keys. Throws `errc::not_found` for a
/// profile that was named and is not there; `invalid_option` when only one of the two keys is, and for a profile whose keys
/// would come of a role, a process or SSO, which are not read so far; what `profile_files::load` throws.
class profile_credentials final : public credentials_source {
public:
  explicit profile_credentials(std::string profile = {}, variables from = process_variables())
      : profile_(std::move(profile)), from_(std::move(from)) {}
  std::string_view kind() const noexcept override { return "profile"; }
  task<std::optional<credentials>> fetch() override;

private:
  std::string profile_;
  variables from_;
};

}  // namespace weir::aws
