#include <weir/detail/failure_parts.hpp>

namespace weir::detail {

std::string reason_of(std::exception_ptr const& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (std::exception const& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

std::error_code code_of(std::exception_ptr const& failure, std::error_code otherwise) noexcept {
  try {
    std::rethrow_exception(failure);
  } catch (std::system_error const& e) {
    return e.code();
  } catch (...) {
    return otherwise;
  }
}

}  // namespace weir::detail
