#include <weir/aws/endpoint.hpp>

#include <weir/aws/detail/found_settings.hpp>
#include <weir/error.hpp>
#include <weir/net/url.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::aws {
namespace {

[[noreturn]] void refuse(std::string why, std::string advice) {
  throw error(errc::invalid_option, "aws: no endpoint", std::move(why), std::move(advice));
}

struct partition {
  std::string_view regions;  // how their names begin
  std::string_view domain, dual_stack;
};
// Source: the partitions of the SDKs' endpoint rules.
constexpr std::array<partition, 7> partitions{{{"cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn"},
                                               {"us-gov-", "amazonaws.com", "api.aws"},
                                               {"us-iso-", "c2s.ic.gov", "api.aws.ic.gov"},
                                               {"us-isob-", "sc2s.sgov.gov", "api.aws.scloud"},
                                               {"us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov"},
                                               {"eusc-", "amazonaws.eu", "api.amazonwebservices.eu"},
                                               {"", "amazonaws.com", "api.aws"}}};

std::string upper(std::string_view id) {
  std::string out(id);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - ('a' - 'A'));
  return out;
}

std::string checked_region(std::string region) {
  if (region.empty()) refuse("there is no region", "set AWS_REGION, or the region in the profile; for an emulator us-east-1 will do");
  bool const name = std::ranges::all_of(region, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  if (!name || region.front() == '-' || region.size() > 63) refuse("\"" + region + "\" is no region", "regions are named like eu-west-1");
  return region;
}

std::string origin_of(std::string const& text) {
  auto const parsed = net::url::parse(text);
  if (!parsed) refuse("the endpoint \"" + text + "\" " + std::string(to_string(parsed.error())), "write http://localhost:4567");
  if (parsed->target() != "/") refuse("the endpoint \"" + text + "\" has a path", "leave it out");
  return parsed->origin();
}

}  // namespace

endpoint resolve(service const& s, endpoint_options const& given, variables const& from) {
  detail::found_settings const found(given.profile, from);
  endpoint out;
  out.region = checked_region(given.region.empty() ? found.get("region", "AWS_REGION", "AWS_DEFAULT_REGION") : given.region);
  std::string url = given.url;
  if (url.empty() && found.get("ignore_configured_endpoint_urls", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") != "true")
    url = found.get("endpoint_url", "AWS_ENDPOINT_URL_" + upper(s.id), "AWS_ENDPOINT_URL");
  if (!url.empty()) {
    out.url = origin_of(url);
    return out;
  }
  bool const fips = found.get("use_fips_endpoint", "AWS_USE_FIPS_ENDPOINT") == "true";
  bool const dual_stack = found.get("use_dualstack_endpoint", "AWS_USE_DUALSTACK_ENDPOINT") == "true";
  auto const in = std::ranges::find_if(partitions, [&](partition const& p) { return out.region.starts_with(p.regions); });
  out.url = "https://" + s.host + (fips ? "-fips." : ".") + out.region + '.' + std::string(dual_stack ? in->dual_stack : in->domain);
  return out;
}

}  // namespace weir::aws
