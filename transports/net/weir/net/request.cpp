#include <weir/net/request.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::net {

bool is_idempotent(request const& r) noexcept {
  constexpr std::array<std::string_view, 6> methods{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"};
  return std::ranges::find(methods, r.method) != methods.end() || r.headers.find("Idempotency-Key");
}

}  // namespace weir::net
