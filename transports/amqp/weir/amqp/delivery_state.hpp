#pragma once
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/performatives.hpp>
#include <weir/amqp/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::amqp {

/// What has become of a delivery. Source: AMQP 1.0, 3.4.
enum class outcome : std::uint8_t {
  none,      ///< nothing yet: no state, or only how much of it has come
  accepted,  ///< done
  rejected,  ///< refused, with the reason
  released,  ///< not done; may be sent again as it is
  modified,  ///< not done; may be sent again, perhaps not to the same
};

/// It, with what belongs to it.
struct delivery_state {
  amqp::outcome outcome = amqp::outcome::none;
  error_view why;                   ///< of `rejected`, where it says
  bool delivery_failed = false;     ///< of `modified`: it counts as a try
  bool undeliverable_here = false;  ///< of `modified`
};

/// As it stands in `disposition::state`. `errc` as of `read_performative`.
result<delivery_state> read_delivery_state(encoded_view field) noexcept;
/// Its encoding, for those that need no more than their name. `outcome::none` has none.
encoded_view encoded_outcome(outcome of) noexcept;
/// The encoding of `rejected` with its reason.
std::string encoded_rejection(std::string_view condition, std::string_view description);

}  // namespace weir::amqp
