#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/frame.hpp>

namespace weir::amqp {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t least_frame = 8;    // size, data offset, type, channel
constexpr std::uint8_t frame_offset = 2;  // of the body, in words of four bytes: this side writes no extended header

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t width) noexcept {
  std::uint32_t out = 0;
  for (char const c : bytes.substr(at, width)) out = out << 8 | static_cast<unsigned char>(c);
  return out;
}

// Writes the head of a frame, and its size when the body is there.
class frame_head {
public:
  frame_head(std::string& out, protocol type, std::uint16_t channel) : out_(&out), at_(out.size()) {
    out.append(4, '\0');
    out.push_back(static_cast<char>(frame_offset));
    out.push_back(type == protocol::sasl ? '\x01' : '\x00');
    out.push_back(static_cast<char>(channel >> 8));
    out.push_back(static_cast<char>(channel));
  }
  void end() {
    std::size_t const size = out_->size() - at_;
    for (std::size_t i = 0; i < 4; ++i) (*out_)[at_ + i] = static_cast<char>(size >> (24 - 8 * i));
  }

private:
  std::string* out_;
  std::size_t at_;
};

template <class T> void write_composite_frame(std::string& out, protocol type, std::uint16_t channel, T const& body,
                                              std::string_view payload = {}) {
  frame_head head(out, type, channel);
  encoder to(out);
  detail::write_composite(to, body);
  out.append(payload);
  head.end();
}

}  // namespace

std::string_view protocol_header(protocol id) noexcept {
  return id == protocol::sasl ? "AMQP\x03\x01\x00\x00"sv : "AMQP\x00\x01\x00\x00"sv;
}

result<protocol> read_protocol_header(std::string_view bytes) noexcept {
  if (bytes == protocol_header(protocol::amqp)) return protocol::amqp;
  if (bytes == protocol_header(protocol::sasl)) return protocol::sasl;
  return errc::wrong_protocol;
}

result<std::optional<frame>> take_frame(std::string_view& bytes, std::size_t most) noexcept {
  std::optional<frame> out;
  if (bytes.size() < 4) return out;
  std::size_t const size = number_at(bytes, 0, 4);
  if (size > most) return errc::frame_too_large;
  if (size < least_frame) return errc::wrong_size;
  if (bytes.size() < size) return out;
  std::size_t const offset = 4 * static_cast<std::size_t>(number_at(bytes, 4, 1));
  if (offset < least_frame || offset > size) return errc::wrong_size;
  std::uint32_t const type = number_at(bytes, 5, 1);
  if (type > 1) return errc::unknown_body;
  out.emplace();
  out->type = type == 1 ? protocol::sasl : protocol::amqp;
  out->channel = static_cast<std::uint16_t>(number_at(bytes, 6, 2));
  out->body = bytes.substr(offset, size - offset);
  bytes.remove_prefix(size);
  return out;
}

void write_frame(std::string& out, std::uint16_t channel, open const& body) { write_composite_frame(out, protocol::amqp, channel, body); }
void write_frame(std::string& out, std::uint16_t channel, begin const& body) { write_composite_frame(out, protocol::amqp, channel, body); }
void write_frame(std::string& out, std::uint16_t channel, attach const& body) { write_composite_frame(out, protocol::amqp, channel, body); }
void write_frame(std::string& out, std::uint16_t channel, flow const& body) { write_composite_frame(out, protocol::amqp, channel, body); }
void write_frame(std::string& out, std::uint16_t channel, transfer const& body, std::string_view payload) {
  write_composite_frame(out, protocol::amqp, channel, body, payload);
}
void write_frame(std::string& out, std::uint16_t channel, disposition const& body) {
  write_composite_frame(out, protocol::amqp, channel, body);
}
void write_frame(std::string& out, std::uint16_t channel, detach const& body) { write_composite_frame(out, protocol::amqp, channel, body); }
void write_frame(std::string& out, std::uint16_t channel, end const& body) { write_composite_frame(out, protocol::amqp, channel, body); }
void write_frame(std::string& out, std::uint16_t channel, close const& body) { write_composite_frame(out, protocol::amqp, channel, body); }
void write_frame(std::string& out, sasl_mechanisms const& body) { write_composite_frame(out, protocol::sasl, 0, body); }
void write_frame(std::string& out, sasl_init const& body) { write_composite_frame(out, protocol::sasl, 0, body); }
void write_frame(std::string& out, sasl_challenge const& body) { write_composite_frame(out, protocol::sasl, 0, body); }
void write_frame(std::string& out, sasl_response const& body) { write_composite_frame(out, protocol::sasl, 0, body); }
void write_frame(std::string& out, sasl_outcome const& body) { write_composite_frame(out, protocol::sasl, 0, body); }

void write_empty_frame(std::string& out) { frame_head(out, protocol::amqp, 0).end(); }

std::size_t transfer_overhead(transfer const& body) {
  std::string head;
  write_frame(head, 0, body, {});
  return head.size();
}

}  // namespace weir::amqp
