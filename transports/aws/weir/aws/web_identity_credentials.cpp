#include <weir/aws/web_identity_credentials.hpp>

#include <weir/aws/assume_role.hpp>
#include <weir/aws/detail/token_file.hpp>
#include <weir/error.hpp>

namespace weir::aws {

web_identity_credentials::web_identity_credentials(variables from) : from_(std::move(from)), client_({.proxies_from = from_}) {}

task<std::optional<credentials>> web_identity_credentials::fetch() {
  auto const file = from_("AWS_WEB_IDENTITY_TOKEN_FILE");
  if (!file) co_return std::nullopt;
  role as;
  as.arn = from_("AWS_ROLE_ARN").value_or("");
  if (as.arn.empty())
    throw error(errc::invalid_option, "aws: no credentials", "AWS_WEB_IDENTITY_TOKEN_FILE is set, AWS_ROLE_ARN is not",
                "set both, or none");
  as.session = from_("AWS_ROLE_SESSION_NAME").value_or("weir");
  std::string token = detail::read_token_file(*file, "AWS_WEB_IDENTITY_TOKEN_FILE");
  endpoint sts = resolve({"sts", "sts"}, {}, from_);
  task<credentials> asking = assume_role_with_web_identity(client_, std::move(sts), std::move(token), std::move(as));
  co_return co_await std::move(asking);
}

}  // namespace weir::aws
