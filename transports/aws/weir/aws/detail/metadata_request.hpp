#pragma once
#include <weir/net/http_client.hpp>
#include <weir/task.hpp>

#include <string>

namespace weir::aws::detail {

// Short waits, small answers and no proxy: the service is on this machine or next to it, and knows it by its address.
net::http_options metadata_options();
// The body of the answer 200 to a request to a metadata service. Asked three times at most, where the same again may succeed. Throws
// errc::unavailable for another status, not_found for 404, access_denied for 401 and 403, and what the client throws.
task<std::string> metadata(net::http_client client, net::request ask, char const* of);

}  // namespace weir::aws::detail
