#pragma once
#include <weir/instant.hpp>
#include <weir/net/response.hpp>

#include <chrono>

namespace weir::aws::detail {

// How long to wait before the next try: `own`, or longer where the answer asks for it, at most five seconds longer. It asks by
// x-amz-retry-after (milliseconds), else by Retry-After.
// Source: "Retry behavior", AWS SDKs and tools reference guide (2026), for both headers.
std::chrono::nanoseconds asked_delay(net::headers const& answer, std::chrono::nanoseconds own, instant now) noexcept;

}  // namespace weir::aws::detail
