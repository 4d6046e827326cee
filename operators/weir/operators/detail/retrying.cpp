#include <weir/operators/detail/retrying.hpp>

#include <weir/error.hpp>

#include <string>
#include <system_error>

namespace weir::detail {

void give_up_after(std::exception_ptr const& failure, unsigned attempts) {
  if (attempts == 1) std::rethrow_exception(failure);
  std::string const detail = "after " + std::to_string(attempts) + " attempts";
  try {
    std::rethrow_exception(failure);
  } catch (error& e) {
    e.with_detail(detail);
    throw;
  } catch (std::system_error const& e) {
    std::throw_with_nested(error(e.code(), "retry: gave up", e.what()).with_detail(detail));
  }
}

}  // namespace weir::detail
