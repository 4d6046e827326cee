#include <weir/asio.hpp>

namespace weir::detail {

void throw_code(boost::system::error_code const& code) { throw error(std::error_code(code), "io: an operation failed", code.message()); }

}  // namespace weir::detail
