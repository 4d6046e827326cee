#pragma once
#include <weir/aws/variables.hpp>

#include <string>

namespace weir::aws {

/// A service as endpoints and signatures know it.
struct service {
  std::string id;    ///< in names of variables and profiles: "kinesis", "dynamodb"; "Cognito Identity" is "cognito_identity"
  std::string host;  ///< what the names of its endpoints begin with, and what is signed for: "kinesis", "dynamodb"
};

/// What a program says itself about where a service is; what is empty is looked for.
struct endpoint_options {
  std::string region;   ///< "eu-west-1"
  std::string url;      ///< of an emulator or a proxy: "http://localhost:4567"
  std::string profile;  ///< whose settings in the shared files count; empty: AWS_PROFILE, else "default"
};

/// Where a service is, and for which region requests to it are signed.
struct endpoint {
  std::string region;
  std::string url;  ///< origin, without a slash at its end
};

/// Finds it, as the tools of AWS do. Region: given, AWS_REGION, AWS_DEFAULT_REGION, the profile's `region`. URL: given,
/// AWS_ENDPOINT_URL_<ID>, AWS_ENDPOINT_URL, the profile's `endpoint_url` (unless AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is "true" for these
/// three); else the region's own, of the partition it belongs to (aws, aws-cn, aws-us-gov, the isolated ones), for FIPS where
/// AWS_USE_FIPS_ENDPOINT or `use_fips_endpoint` is "true", with IPv6 where AWS_USE_DUALSTACK_ENDPOINT or `use_dualstack_endpoint` is.
/// Throws `errc::invalid_option` when there is no region, or one that is no name; for a URL that is none or has more than an origin; what
/// `profile_files::load` throws. An endpoint that was given needs a region, too: it is signed for; us-east-1 will do for an emulator.
/// Source: "AWS Region", "Service-specific endpoints", "Dual-stack and FIPS endpoints", AWS SDKs and tools reference guide.
endpoint resolve(service const& s, endpoint_options const& given = {}, variables const& from = process_variables());

}  // namespace weir::aws
