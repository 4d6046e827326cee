#include <weir/aws/profile_credentials.hpp>

#include <weir/aws/profile_files.hpp>
#include <weir/error.hpp>

namespace weir::aws {
namespace {

std::string value_of(profile_files::section const& s, std::string const& name) {
  auto const found = s.find(name);
  return found == s.end() ? std::string() : found->second;
}

[[noreturn]] void refuse(errc code, std::string const& profile, std::string why, std::string advice) {
  throw error(code, "aws: no credentials", std::move(why), std::move(advice)).with_detail("profile " + profile);
}

}  // namespace

task<std::optional<credentials>> profile_credentials::fetch() {
  std::string name = profile_.empty() ? from_("AWS_PROFILE").value_or("") : profile_;
  bool const named = !name.empty();
  if (!named) name = "default";
  profile_files const files = profile_files::load(from_);
  profile_files::section const* const found = files.profile(name);
  if (!found && named) refuse(errc::not_found, name, "the shared files have no such profile", "add it, or correct AWS_PROFILE");
  if (!found) co_return std::nullopt;
  std::string id = value_of(*found, "aws_access_key_id"), secret = value_of(*found, "aws_secret_access_key");
  if (id.empty() != secret.empty())
    refuse(errc::invalid_option, name, std::string("it has no ") + (id.empty() ? "aws_access_key_id" : "aws_secret_access_key"), "add it");
  if (!id.empty()) co_return credentials(std::move(id), std::move(secret), value_of(*found, "aws_session_token"));
  for (char const* const other : {"role_arn", "credential_process", "sso_session", "sso_start_url", "web_identity_token_file"})
    if (found->count(other) != 0)
      refuse(errc::invalid_option, name, std::string("its keys would come by ") + other + ", which is not read so far",
             "export keys into the environment: `aws configure export-credentials --profile " + name + " --format env`");
  co_return std::nullopt;
}

}  // namespace weir::aws
