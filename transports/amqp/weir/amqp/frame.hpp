#pragma once
#include <weir/amqp/performatives.hpp>
#include <weir/amqp/result.hpp>
#include <weir/amqp/sasl.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::amqp {

/// What is spoken from a protocol header on. Source: AMQP 1.0, 2.2 and 5.3.1.
enum class protocol : std::uint8_t { amqp = 0, sasl = 3 };

/// The eight bytes that begin it, version 1.0.0.
std::string_view protocol_header(protocol id) noexcept;
/// `errc::wrong_protocol` for another protocol or version. Eight bytes.
result<protocol> read_protocol_header(std::string_view bytes) noexcept;

/// A frame, without the parts that only say where it ends. Source: AMQP 1.0, 2.3.
struct frame {
  protocol type = protocol::amqp;
  std::uint16_t channel = 0;
  std::string_view body;  ///< empty: it only says that the peer is alive
};

/// Cuts the first frame off the bytes. Nothing: more are needed. `errc::frame_too_large` as soon as the size is known; `wrong_size`,
/// `unknown_body` (neither AMQP nor SASL).
result<std::optional<frame>> take_frame(std::string_view& bytes, std::size_t most) noexcept;

/// Appends a frame. What is behind the performative is the payload of a transfer.
void write_frame(std::string& out, std::uint16_t channel, open const& body);
void write_frame(std::string& out, std::uint16_t channel, begin const& body);
void write_frame(std::string& out, std::uint16_t channel, attach const& body);
void write_frame(std::string& out, std::uint16_t channel, flow const& body);
void write_frame(std::string& out, std::uint16_t channel, transfer const& body, std::string_view payload);
void write_frame(std::string& out, std::uint16_t channel, disposition const& body);
void write_frame(std::string& out, std::uint16_t channel, detach const& body);
void write_frame(std::string& out, std::uint16_t channel, end const& body);
void write_frame(std::string& out, std::uint16_t channel, close const& body);
void write_frame(std::string& out, sasl_mechanisms const& body);
void write_frame(std::string& out, sasl_init const& body);
void write_frame(std::string& out, sasl_challenge const& body);
void write_frame(std::string& out, sasl_response const& body);
void write_frame(std::string& out, sasl_outcome const& body);
/// One without a body: this side is alive.
void write_empty_frame(std::string& out);

/// Bytes that a transfer's frame takes beside the payload.
std::size_t transfer_overhead(transfer const& body);

}  // namespace weir::amqp
