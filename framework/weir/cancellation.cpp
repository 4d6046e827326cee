#include <weir/cancellation.hpp>
#include <weir/error.hpp>
#include <weir/stream.hpp>

#include <exception>

namespace weir {

void cancellation::raise() { detail::throw_cancelled(); }

void detail::throw_cancelled() { throw error(errc::cancelled, "cancelled", "the work was asked to end before it was done"); }

std::exception_ptr detail::cancelled_error() noexcept {
  try {
    throw_cancelled();
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace weir
