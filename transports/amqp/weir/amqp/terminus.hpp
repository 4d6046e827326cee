#pragma once
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/result.hpp>

#include <cstdint>
#include <string_view>

namespace weir::amqp {

/// Where the messages of a link come from. Source: AMQP 1.0, 3.5.3.
struct source_terminus {
  static constexpr std::uint64_t code = 0x28;
  std::string_view address;
  std::uint32_t durable = 0;
  symbol_view expiry_policy;
  std::uint32_t timeout = 0;  ///< seconds
  bool dynamic = false;
  encoded_view dynamic_node_properties;
  symbol_view distribution_mode;
  encoded_view filter, default_outcome, outcomes, capabilities;
};

/// Where they go. Source: AMQP 1.0, 3.5.4.
struct target_terminus {
  static constexpr std::uint64_t code = 0x29;
  std::string_view address;
  std::uint32_t durable = 0;
  symbol_view expiry_policy;
  std::uint32_t timeout = 0;  ///< seconds
  bool dynamic = false;
  encoded_view dynamic_node_properties, capabilities;
};

/// As it stands in `attach::source`. `errc` as of `read_performative`.
result<source_terminus> read_source(encoded_view field) noexcept;
/// The same of a target.
result<target_terminus> read_target(encoded_view field) noexcept;

}  // namespace weir::amqp
