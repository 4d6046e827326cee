#include <weir/aws/instance_credentials.hpp>

#include <weir/aws/detail/lent_credentials.hpp>
#include <weir/aws/detail/metadata_request.hpp>
#include <weir/error.hpp>

#include <algorithm>

namespace weir::aws {
namespace {

constexpr char const* where = "the machine's credentials";

net::request get(std::string url, std::string const& token) {
  net::request ask("GET", std::move(url));
  ask.headers.add("X-aws-ec2-metadata-token", token);
  return ask;
}

// What one gets where there is no such service.
bool says_nobody(error const& e) noexcept {
  return e.code() == std::errc::connection_refused || e.code() == errc::timed_out || e.code() == errc::unavailable ||
         e.code() == errc::not_found;
}

}  // namespace

instance_credentials::instance_credentials(variables from) : from_(std::move(from)), client_(detail::metadata_options()) {}

// Empty: nobody is there.
task<std::string> instance_credentials::token(std::string base) const {
  net::request ask("PUT", base + "/latest/api/token");
  ask.headers.add("X-aws-ec2-metadata-token-ttl-seconds", "21600");
  try {
    net::response answer = co_await client_.send(std::move(ask));
    if (answer.status == 200 && !answer.body.empty()) co_return std::move(answer.body);
    if (answer.status == 401 || answer.status == 403)
      throw error(errc::access_denied, "aws: no credentials", "the metadata service gives no token",
                  "allow it to this machine, or set AWS_EC2_METADATA_DISABLED=true")
          .with_detail(where);
  } catch (error const& e) {
    if (!says_nobody(e)) throw;
  }
  co_return std::string();
}

task<std::optional<credentials>> instance_credentials::fetch() {
  if (from_("AWS_EC2_METADATA_DISABLED") == "true") co_return std::nullopt;
  std::string const base = from_("AWS_EC2_METADATA_SERVICE_ENDPOINT").value_or("http://169.254.169.254");
  std::string const session = co_await token(base);
  if (session.empty()) co_return std::nullopt;
  std::string const roles = base + "/latest/meta-data/iam/security-credentials/";
  std::string role;
  try {
    role = co_await detail::metadata(client_, get(roles, session), where);
  } catch (error const& e) {
    if (e.code() != errc::not_found) throw;
  }
  role.resize(std::min(role.find_first_of("\r\n"), role.size()));
  if (role.empty()) co_return std::nullopt;
  std::string const answer = co_await detail::metadata(client_, get(roles + role, session), where);
  co_return detail::read_lent_credentials(answer, where);
}

}  // namespace weir::aws
