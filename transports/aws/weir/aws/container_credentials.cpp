#include <weir/aws/container_credentials.hpp>

#include <weir/aws/detail/lent_credentials.hpp>
#include <weir/aws/detail/metadata_request.hpp>
#include <weir/aws/detail/token_file.hpp>
#include <weir/error.hpp>
#include <weir/net/url.hpp>

#include <algorithm>
#include <array>

namespace weir::aws {
namespace {

constexpr char const* where = "the container's credentials";

[[noreturn]] void refuse(errc code, std::string why, std::string advice) {
  throw error(code, "aws: no credentials", std::move(why), std::move(advice)).with_detail(where);
}

void check(std::string const& uri) {
  constexpr std::array<std::string_view, 6> own{"localhost", "127.0.0.1", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23"};
  auto const parsed = net::url::parse(uri);
  if (!parsed) refuse(errc::invalid_option, "AWS_CONTAINER_CREDENTIALS_FULL_URI " + std::string(to_string(parsed.error())), "correct it");
  if (!parsed->secure() && std::ranges::find(own, parsed->host()) == own.end() && !parsed->host().starts_with("127."))
    refuse(errc::invalid_option, "AWS_CONTAINER_CREDENTIALS_FULL_URI leads to another machine without TLS", "use https");
}

std::optional<std::string> token(variables const& from) {
  if (auto const file = from("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"))
    return detail::read_token_file(*file, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  return from("AWS_CONTAINER_AUTHORIZATION_TOKEN");
}

}  // namespace

container_credentials::container_credentials(variables from) : from_(std::move(from)), client_(detail::metadata_options()) {}

task<std::optional<credentials>> container_credentials::fetch() {
  auto const relative = from_("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"), full = from_("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (!relative && !full) co_return std::nullopt;
  net::request ask("GET", relative ? "http://169.254.170.2" + *relative : *full);
  if (!relative) check(ask.url);
  ask.headers.add("Accept", "application/json");
  if (auto t = token(from_)) ask.headers.add("Authorization", *std::move(t));
  std::string const answer = co_await detail::metadata(client_, std::move(ask), where);
  co_return detail::read_lent_credentials(answer, where);
}

}  // namespace weir::aws
