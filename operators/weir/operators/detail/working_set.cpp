#include <weir/operators/detail/working_set.hpp>

#include <weir/error.hpp>

#include <string>

namespace weir::detail {

working_set::working_set(std::string_view who, std::size_t n) : who_(who), size_(n) {
  if (n == 0) throw error(errc::invalid_option, std::string(who) + ": cannot be built", "its working set is 0", "give it at least 1");
}

}  // namespace weir::detail
