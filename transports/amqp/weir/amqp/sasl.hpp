#pragma once
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/result.hpp>
#include <weir/amqp/value_view.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace weir::amqp {

// The bodies of SASL frames. Source: AMQP 1.0, 5.3.3.

/// What the server knows.
struct sasl_mechanisms {
  static constexpr std::uint64_t code = 0x40;
  encoded_view server_mechanisms;  ///< a symbol or an array of them
  /// Whether it is among them.
  bool has(std::string_view mechanism) const noexcept;
};

/// What the client chooses, and what it says at once.
struct sasl_init {
  static constexpr std::uint64_t code = 0x41;
  symbol_view mechanism;
  std::optional<binary_view> initial_response;  ///< none is not the same as an empty one
  std::string_view hostname;
};

/// What the server asks.
struct sasl_challenge {
  static constexpr std::uint64_t code = 0x42;
  binary_view challenge;
};

/// What the client answers.
struct sasl_response {
  static constexpr std::uint64_t code = 0x43;
  binary_view response;
};

/// How it ended: well, not allowed, or not possible, for good or for now.
enum class sasl_code : std::uint8_t { ok, auth, sys, sys_perm, sys_temp, last = sys_temp };

/// The server's last word.
struct sasl_outcome {
  static constexpr std::uint64_t code = 0x44;
  sasl_code outcome = sasl_code::ok;
  binary_view additional_data;
};

/// One of these.
using sasl_body = std::variant<sasl_mechanisms, sasl_init, sasl_challenge, sasl_response, sasl_outcome>;

/// Reads the body of a SASL frame. `errc` as of `read_performative`.
result<sasl_body> read_sasl(value_reader& body) noexcept;

}  // namespace weir::amqp
