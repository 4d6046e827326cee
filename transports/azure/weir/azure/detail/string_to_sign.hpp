#pragma once
#include <weir/net/request.hpp>

#include <string>
#include <string_view>

namespace weir::azure::detail {

// What a signature is made of. `target`: path and query of the URL, as they are sent.
// Source: "Authorize with Shared Key", constructing the signature string (Azure Storage REST API).
std::string string_to_sign(net::request const& r, std::string_view account, std::string_view target);

}  // namespace weir::azure::detail
