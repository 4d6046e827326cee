#include <weir/aws/profile_credentials.hpp>

#include <weir/aws/assume_role.hpp>
#include <weir/aws/container_credentials.hpp>
#include <weir/aws/detail/process_credentials.hpp>
#include <weir/aws/detail/sso_credentials.hpp>
#include <weir/aws/detail/token_file.hpp>
#include <weir/aws/environment_credentials.hpp>
#include <weir/aws/instance_credentials.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>

#include <algorithm>
#include <charconv>

namespace weir::aws {
namespace {

std::string value_of(profile_files::section const& s, std::string const& name) {
  auto const found = s.find(name);
  return found == s.end() ? std::string() : found->second;
}

[[noreturn]] void refuse(errc code, std::string const& profile, std::string why, std::string advice) {
  throw error(code, "aws: no credentials", std::move(why), std::move(advice)).with_detail("profile " + profile);
}

std::unique_ptr<credentials_source> named_source(std::string const& name, std::string const& profile, variables const& from) {
  if (name == "Environment") return std::make_unique<environment_credentials>(from);
  if (name == "EcsContainer") return std::make_unique<container_credentials>(from);
  if (name == "Ec2InstanceMetadata") return std::make_unique<instance_credentials>(from);
  refuse(errc::invalid_option, profile, "its credential_source is \"" + name + '"',
         "Environment, EcsContainer and Ec2InstanceMetadata are known");
}

role role_of(profile_files::section const& s, std::string const& profile) {
  role out;
  out.arn = value_of(s, "role_arn");
  out.external_id = value_of(s, "external_id");
  out.session = value_of(s, "role_session_name");
  if (out.session.empty()) out.session = "weir";
  if (std::string const seconds = value_of(s, "duration_seconds"); !seconds.empty()) {
    int n = 0;
    auto const [end, failed] = std::from_chars(seconds.data(), seconds.data() + seconds.size(), n);
    if (failed != std::errc() || end != seconds.data() + seconds.size() || n <= 0)
      refuse(errc::invalid_option, profile, "its duration_seconds is \"" + seconds + '"', "900 to 43200 are allowed");
    out.duration = std::chrono::seconds(n);
  }
  return out;
}

}  // namespace

profile_credentials::profile_credentials(std::string profile, variables from)
    : profile_(std::move(profile)), from_(std::move(from)), client_({.proxies_from = from_}) {}

task<std::optional<credentials>> profile_credentials::fetch() {
  std::string name = profile_.empty() ? from_("AWS_PROFILE").value_or("") : profile_;
  bool const named = !name.empty();
  if (!named) name = "default";
  auto const files = std::make_shared<profile_files const>(profile_files::load(from_));
  if (!files->profile(name) && !named) co_return std::nullopt;
  task<std::optional<credentials>> looking = of(files, std::move(name), {});
  co_return co_await std::move(looking);
}

// `asked`: the profiles that have come to this one.
task<std::optional<credentials>> profile_credentials::of(std::shared_ptr<profile_files const> files, std::string name,
                                                         std::vector<std::string> asked) {
  profile_files::section const* const found = files->profile(name);
  if (!found) refuse(errc::not_found, name, "the shared files have no such profile", "add it, or correct its name");
  bool const names_itself = !asked.empty() && asked.back() == name;
  if (!names_itself && std::ranges::find(asked, name) != asked.end())
    refuse(errc::invalid_option, name, "its source_profile leads back to it", "let one of them have keys");
  if (found->count("role_arn") != 0 && !names_itself) {
    task<credentials> becoming = of_role(files, std::move(name), std::move(asked));
    co_return co_await std::move(becoming);
  }
  std::string id = value_of(*found, "aws_access_key_id"), secret = value_of(*found, "aws_secret_access_key");
  if (id.empty() != secret.empty())
    refuse(errc::invalid_option, name, std::string("it has no ") + (id.empty() ? "aws_access_key_id" : "aws_secret_access_key"), "add it");
  if (!id.empty()) co_return credentials(std::move(id), std::move(secret), value_of(*found, "aws_session_token"));
  if (detail::has_sso(*found)) {
    task<credentials> asking = detail::sso_credentials(client_, files, std::move(name), from_);
    co_return co_await std::move(asking);
  }
  if (std::string command = value_of(*found, "credential_process"); !command.empty()) {
    task<credentials> running = detail::process_credentials(std::move(command), std::move(name));
    co_return co_await std::move(running);
  }
  if (found->count("login_session") != 0)
    refuse(errc::invalid_option, name, "its keys would come by `aws login` (login_session), which is not read",
           "give it credential_process = aws configure export-credentials --profile " + name + " --format process");
  co_return std::nullopt;
}

task<credentials> profile_credentials::of_role(std::shared_ptr<profile_files const> files, std::string name,
                                               std::vector<std::string> asked) {
  context const& own = co_await current_context();
  profile_files::section const& s = *files->profile(name);
  role as = role_of(s, name);
  endpoint sts = resolve({"sts", "sts"}, {.region = {}, .url = {}, .profile = name}, from_);
  if (std::string const file = value_of(s, "web_identity_token_file"); !file.empty()) {
    std::string token = detail::read_token_file(file, "web_identity_token_file of the profile " + name);
    task<credentials> asking = assume_role_with_web_identity(client_, std::move(sts), std::move(token), std::move(as));
    co_return co_await std::move(asking);
  }
  std::string source = value_of(s, "source_profile");
  std::string const place = value_of(s, "credential_source");
  std::optional<credentials> by;
  if (!source.empty()) {
    asked.push_back(name);
    task<std::optional<credentials>> looking = of(files, std::move(source), std::move(asked));
    by = co_await std::move(looking);
  } else if (!place.empty()) {
    auto const from = named_source(place, name, from_);
    by = co_await from->fetch();
  }
  if (!by)
    refuse(errc::invalid_option, name, "there are no credentials that could assume its role",
           "add source_profile or credential_source, with keys behind it");
  task<credentials> asking = assume_role(client_, std::move(sts), *std::move(by), std::move(as), own.clock().now());
  co_return co_await std::move(asking);
}

}  // namespace weir::aws
