#include <weir/guarantee.hpp>

namespace weir {

std::string_view to_string(guarantee g) noexcept {
  switch (g) {
    case guarantee::at_least_once: return "at least once";
    case guarantee::idempotent: return "idempotent";
    case guarantee::transactional: return "transactional";
  }
  return "unknown";
}

}  // namespace weir
