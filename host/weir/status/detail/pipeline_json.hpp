#pragma once
#include <weir/application_status.hpp>

#include <string>

namespace weir::status::detail {

// All of it, in UTF-8. Times are RFC 3339, null where there is none; durations are seconds.
std::string pipeline_json(application_figures const& all);

}  // namespace weir::status::detail
