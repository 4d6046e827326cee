#pragma once
#include <weir/aws/credentials.hpp>

#include <string>
#include <string_view>

namespace weir::aws::detail {

// Credentials as the metadata services of machines and containers lend them: a JSON object with AccessKeyId, SecretAccessKey, Token and
// Expiration. Throws errc::malformed for anything else, and errc::unavailable when it says another Code than Success; never with the text.
credentials read_lent_credentials(std::string const& json, std::string_view from);

}  // namespace weir::aws::detail
