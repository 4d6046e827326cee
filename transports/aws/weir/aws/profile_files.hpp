#pragma once
#include <weir/aws/variables.hpp>

#include <map>
#include <string>
#include <string_view>

namespace weir::aws {

/// What the shared files of AWS's tools say: ~/.aws/config and ~/.aws/credentials. A value.
///
/// In the config file a profile is `[profile NAME]`, or `[default]`; in the credentials file `[NAME]`, and what that says of a profile goes
/// before what the config says. `[sso-session NAME]` are kept apart; other sections are passed over. Names of settings have no case. A
/// value ends at " #" or " ;"; a line that begins with white space goes on with the value before it, and is left out here, since no setting
/// that is read here has several lines.
/// Source: "Shared config and credentials files", AWS SDKs and tools reference guide.
class profile_files {
public:
  using section = std::map<std::string, std::string>;

  profile_files() = default;
  /// Of their texts. Throws `errc::malformed`, with the number of the line, for one that is no comment, section or setting.
  profile_files(std::string_view config, std::string_view credentials);
  /// Of the files that AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name, or of those in HOME. One that is not there is empty.
  /// Throws `errc::malformed`, `access_denied`, `io`.
  static profile_files load(variables const& from);

  /// Null: there is none of that name.
  section const* profile(std::string const& name) const;
  section const* sso_session(std::string const& name) const;

private:
  std::map<std::string, section> profiles_, sso_sessions_;
};

}  // namespace weir::aws
