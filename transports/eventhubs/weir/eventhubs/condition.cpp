#include <weir/eventhubs/condition.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <array>

namespace weir::eventhubs {
namespace {

struct condition_row {
  std::string_view name;
  reaction does;
  errc code;
};

constexpr std::array<condition_row, 22> known_conditions{{
    {"amqp:link:stolen", reaction::let_go, errc::fenced},
    {"com.microsoft:producer-epoch-stolen", reaction::let_go, errc::fenced},
    {"com.microsoft:server-busy", reaction::later, errc::throttled},
    {"amqp:unauthorized-access", reaction::new_token, errc::access_denied},
    {"com.microsoft:auth-failed", reaction::new_token, errc::access_denied},
    {"com.microsoft:georeplication:invalid-offset", reaction::from_start, errc::out_of_range},
    {"amqp:not-found", reaction::give_up, errc::not_found},
    {"com.microsoft:entity-disabled", reaction::give_up, errc::rejected},
    {"amqp:not-allowed", reaction::give_up, errc::rejected},
    {"amqp:not-implemented", reaction::give_up, errc::rejected},
    {"amqp:resource-limit-exceeded", reaction::give_up, errc::rejected},
    {"amqp:link:message-size-exceeded", reaction::give_up, errc::too_large},
    {"com.microsoft:argument-error", reaction::give_up, errc::rejected},
    {"com.microsoft:argument-out-of-range", reaction::give_up, errc::rejected},
    {"com.microsoft:out-of-order-sequence", reaction::give_up, errc::rejected},
    {"amqp:internal-error", reaction::again, errc::unavailable},
    {"com.microsoft:timeout", reaction::again, errc::unavailable},
    {"com.microsoft:operation-cancelled", reaction::again, errc::unavailable},
    {"amqp:link:detach-forced", reaction::again, errc::unavailable},
    {"amqp:connection:forced", reaction::again, errc::unavailable},
    {"amqp:connection:framing-error", reaction::again, errc::malformed},
    {"amqp:link:transfer-limit-exceeded", reaction::again, errc::unavailable},
}};

condition_row const* row_of(std::string_view condition) noexcept {
  auto const* const row =
      std::find_if(known_conditions.begin(), known_conditions.end(), [&](auto const& r) { return r.name == condition; });
  return row == known_conditions.end() ? nullptr : row;
}

}  // namespace

reaction reaction_to(std::string_view condition) noexcept {
  auto const* const row = row_of(condition);
  return row == nullptr ? reaction::again : row->does;
}

std::error_code code_of(std::string_view condition) noexcept {
  auto const* const row = row_of(condition);
  return row == nullptr ? errc::unavailable : row->code;
}

}  // namespace weir::eventhubs
