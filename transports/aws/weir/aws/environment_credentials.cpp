#include <weir/aws/environment_credentials.hpp>

#include <weir/error.hpp>

namespace weir::aws {

task<std::optional<credentials>> environment_credentials::fetch() {
  std::optional<std::string> id = from_("AWS_ACCESS_KEY_ID"), secret = from_("AWS_SECRET_ACCESS_KEY"), token = from_("AWS_SESSION_TOKEN");
  if (!id && !secret) co_return std::nullopt;
  if (!id || !secret)
    throw error(errc::invalid_option, "aws: no credentials",
                id ? "AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not" : "AWS_SECRET_ACCESS_KEY is set, AWS_ACCESS_KEY_ID is not",
                "set both, or none");
  co_return credentials(*std::move(id), *std::move(secret), std::move(token).value_or(""));
}

}  // namespace weir::aws
