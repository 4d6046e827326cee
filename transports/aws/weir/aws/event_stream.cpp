#include <weir/aws/event_stream.hpp>

#include <weir/error.hpp>

#include <zlib.h>

namespace weir::aws {
namespace {

constexpr std::size_t prelude = 12, checksum = 4;  // lengths of the message and its headers, and their checksum; the message's

[[noreturn]] void refuse(errc code, std::string why) {
  throw error(code, "event stream: cannot read a message", std::move(why), "connect again, behind the last message that was whole");
}

std::uint64_t big_endian(std::string_view bytes) noexcept {
  std::uint64_t out = 0;
  for (char const c : bytes) out = out << 8 | static_cast<unsigned char>(c);
  return out;
}
std::uint32_t crc(std::string_view bytes) noexcept {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size()));
}

// The headers of a message, from its front.
class header_reader {
public:
  explicit header_reader(std::string_view bytes) noexcept : left_(bytes) {}
  bool done() const noexcept { return left_.empty(); }

  std::pair<std::string_view, event_message::value> next() {
    std::string_view const name = take(static_cast<std::size_t>(big_endian(take(1))));
    if (name.empty()) refuse(errc::malformed, "a header has no name");
    switch (auto const type = big_endian(take(1))) {
      case 0: return {name, true};
      case 1: return {name, false};
      case 2: return {name, integer(1)};
      case 3: return {name, integer(2)};
      case 4: return {name, integer(4)};
      case 5:
      case 8: return {name, integer(8)};
      case 6:
      case 7: return {name, take(static_cast<std::size_t>(big_endian(take(2))))};
      case 9: return {name, take(16)};
      default: refuse(errc::malformed, "the header " + std::string(name) + " has the unknown type " + std::to_string(type));
    }
  }

private:
  std::string_view take(std::size_t n) {
    if (n > left_.size()) refuse(errc::malformed, "a header is longer than all headers together");
    std::string_view const out = left_.substr(0, n);
    left_.remove_prefix(n);
    return out;
  }
  std::int64_t integer(std::size_t bytes) {
    std::size_t const above = 64 - 8 * bytes;  // carries the sign
    return static_cast<std::int64_t>(big_endian(take(bytes)) << above) >> above;
  }

  std::string_view left_;
};

}  // namespace

std::string_view event_message::text(std::string_view name) const noexcept {
  for (auto const& [key, v] : headers)
    if (key == name)
      if (auto const* const found = std::get_if<std::string_view>(&v)) return *found;
  return {};
}

void event_stream_decoder::feed(std::string_view bytes) {
  bytes_.erase(0, std::exchange(at_, 0));
  bytes_.append(bytes);
}

std::optional<event_message> event_stream_decoder::next() {
  std::string_view const left = std::string_view(bytes_).substr(at_);
  if (left.size() < prelude) return std::nullopt;
  auto const total = static_cast<std::size_t>(big_endian(left.substr(0, 4))),
             head = static_cast<std::size_t>(big_endian(left.substr(4, 4)));
  if (big_endian(left.substr(8, 4)) != crc(left.substr(0, 8))) refuse(errc::corrupt, "the checksum of its lengths is wrong");
  if (total > most_) refuse(errc::too_large, "it has " + std::to_string(total) + " bytes, more than a message may have");
  if (total < prelude + checksum || head > total - prelude - checksum) refuse(errc::malformed, "its lengths do not fit each other");
  if (left.size() < total) return std::nullopt;
  std::size_t const end = total - checksum;
  if (big_endian(left.substr(end, checksum)) != crc(left.substr(0, end))) refuse(errc::corrupt, "its checksum is wrong");
  event_message out;
  for (header_reader reader(left.substr(prelude, head)); !reader.done();) out.headers.push_back(reader.next());
  out.payload = left.substr(prelude + head, end - prelude - head);
  at_ += total;
  return out;
}

}  // namespace weir::aws
