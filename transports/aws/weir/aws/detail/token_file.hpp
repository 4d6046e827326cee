#pragma once
#include <string>

namespace weir::aws::detail {

// What a file has, without a line break at its end. Throws errc::io when it cannot be read or is empty, malformed when it has other line
// breaks; both name the file and `variable`, where its name comes from.
std::string read_token_file(std::string const& file, std::string const& variable);

}  // namespace weir::aws::detail
