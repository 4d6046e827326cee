#pragma once
#include <exception>
#include <string>
#include <system_error>

namespace weir::detail {

// What an exception says, for messages.
std::string reason_of(std::exception_ptr const& failure);
// Its code; `otherwise` when it is no std::system_error.
std::error_code code_of(std::exception_ptr const& failure, std::error_code otherwise = {}) noexcept;

}  // namespace weir::detail
