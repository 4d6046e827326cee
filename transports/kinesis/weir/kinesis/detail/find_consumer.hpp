#pragma once
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>

namespace weir::kinesis::detail {

// The ARN of the source's consumer, which is registered where it is not; however many ask, one looks. What fails for a while is tried again
// for as long as it takes, but for a stream that has as many consumers as it may have, which is tried five times. Empty: fan-out cannot be
// had, which is said once for all, and it is to be polled.
task<std::string> find_consumer(std::shared_ptr<source_state> s);

}  // namespace weir::kinesis::detail
