#pragma once
#include <weir/detail/pipeline_sink.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::detail {

// "ticks -> bars: effects exactly once (transactional sqlite)". `forgetful`: the checkpoints do not outlive the process.
std::string stated_guarantee(std::string_view pipeline, std::vector<std::shared_ptr<pipeline_sink>> const& sinks, bool forgetful);

}  // namespace weir::detail
