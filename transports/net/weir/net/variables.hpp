#pragma once
#include <functional>
#include <optional>
#include <string>

namespace weir::net {

/// The environment: the value of a variable, or null where it is not set or empty.
using variables = std::function<std::optional<std::string>(std::string const& name)>;

/// That of this process. As with every `getenv`, nobody may set variables meanwhile.
variables process_variables();

}  // namespace weir::net
