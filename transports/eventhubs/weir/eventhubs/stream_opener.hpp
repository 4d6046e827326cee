#pragma once
#include <weir/net/byte_stream.hpp>
#include <weir/task.hpp>

#include <functional>
#include <memory>

namespace weir::eventhubs {

/// Opens a connection to the service, or to what is in its place, within a time of its own. Called on the strand of whoever needs one,
/// again for each attempt.
using stream_opener = std::function<task<std::unique_ptr<net::byte_stream>>()>;

}  // namespace weir::eventhubs
