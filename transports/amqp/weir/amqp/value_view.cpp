#include <weir/amqp/value_view.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

namespace weir::amqp {
namespace {

constexpr errc fine{};
constexpr std::size_t deepest = 8;                 // described by a described value by a described value
constexpr std::size_t most_without_bytes = 65536;  // items of an array that take no bytes: their count is all there is to limit

template <class T> std::uint64_t load(std::string_view bytes) noexcept {
  T out{};
  std::memcpy(&out, std::to_address(bytes.begin()), sizeof out);
  if constexpr (std::endian::native == std::endian::big || sizeof(T) == 1) return out;
  else if constexpr (sizeof(T) == 2) return __builtin_bswap16(out);
  else if constexpr (sizeof(T) == 4) return __builtin_bswap32(out);
  else return __builtin_bswap64(out);
}
// Of the first 1, 2, 4 or 8 bytes, which are there.
std::uint64_t big_endian_of(std::string_view at, std::size_t width) noexcept {
  switch (width) {
    case 1: return load<std::uint8_t>(at);
    case 2: return load<std::uint16_t>(at);
    case 4: return load<std::uint32_t>(at);
    default: return load<std::uint64_t>(at);
  }
}

// A value of fixed width: what it is, from what it is encoded by. Null: nothing, or one whose width is not its high four bits'.
struct fixed {
  type of = type::null;
  bool is_signed = false;
};
constexpr std::array<fixed, 256> fixed_widths = [] {
  std::array<fixed, 256> out{};
  out[0x50] = {type::uint8, false};
  out[0x51] = {type::int8, true};
  out[0x52] = {type::uint32, false};
  out[0x53] = {type::uint64, false};
  out[0x54] = {type::int32, true};
  out[0x55] = {type::int64, true};
  out[0x56] = {type::boolean, false};
  out[0x60] = {type::uint16, false};
  out[0x61] = {type::int16, true};
  out[0x70] = {type::uint32, false};
  out[0x71] = {type::int32, true};
  out[0x72] = {type::float32, false};
  out[0x73] = {type::character, false};
  out[0x74] = {type::decimal32, false};
  out[0x80] = {type::uint64, false};
  out[0x81] = {type::int64, true};
  out[0x82] = {type::float64, false};
  out[0x83] = {type::timestamp, true};
  out[0x84] = {type::decimal64, false};
  return out;
}();

// The bytes of each item of an array, at least.
std::size_t least_width(std::uint8_t constructor) noexcept {
  switch (constructor >> 4) {
    case 0x4: return 0;
    case 0x6: return 2;
    case 0x7:
    case 0xb: return 4;
    case 0x8: return 8;
    case 0x9: return 16;
    case 0xc:
    case 0xe: return 2;
    case 0xd:
    case 0xf: return 8;
    default: return 1;
  }
}

}  // namespace

std::optional<bool> value_view::boolean() const noexcept {
  if (type_ != type::boolean) return std::nullopt;
  return bits_ != 0;
}

std::optional<std::uint64_t> value_view::unsigned_integer() const noexcept {
  switch (type_) {
    case type::uint8:
    case type::uint16:
    case type::uint32:
    case type::uint64: return bits_;
    case type::int8:
    case type::int16:
    case type::int32:
    case type::int64:
      if (static_cast<std::int64_t>(bits_) >= 0) return bits_;
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> value_view::integer() const noexcept {
  switch (type_) {
    case type::int8:
    case type::int16:
    case type::int32:
    case type::int64: return static_cast<std::int64_t>(bits_);
    default: break;
  }
  auto const positive = unsigned_integer();
  if (!positive || *positive > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return static_cast<std::int64_t>(*positive);
}

std::optional<double> value_view::number() const noexcept {
  if (type_ == type::float64) return std::bit_cast<double>(bits_);
  if (type_ == type::float32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits_));
  return std::nullopt;
}

std::optional<std::int64_t> value_view::timestamp() const noexcept {
  if (type_ != type::timestamp) return std::nullopt;
  return static_cast<std::int64_t>(bits_);
}

std::optional<char32_t> value_view::character() const noexcept {
  if (type_ != type::character) return std::nullopt;
  return static_cast<char32_t>(bits_);
}

std::optional<std::string_view> value_view::text() const noexcept {
  if (type_ != type::string && type_ != type::symbol) return std::nullopt;
  return bytes_;
}

std::optional<std::string_view> value_view::binary() const noexcept {
  if (type_ != type::binary) return std::nullopt;
  return bytes_;
}

std::optional<std::string_view> value_view::uuid() const noexcept {
  if (type_ != type::uuid) return std::nullopt;
  return bytes_;
}

item_reader value_view::items() const noexcept {
  if (!is_compound()) return {};
  return {bytes_, count(), constructor_};
}

result<std::pair<value_view, value_view>> value_view::description() const noexcept {
  std::pair<value_view, value_view> out;
  if (type_ != type::described) return out;
  value_reader parts(bytes_);
  auto const by = parts.next();
  if (!by) return by.error();
  auto const what = parts.next();
  if (!what) return what.error();
  out = {*by, *what};
  return out;
}

result<value_view> value_reader::next() noexcept {
  value_view out;
  if (auto const wrong = take(out); wrong != fine) return wrong;
  return out;
}

result<value_view> value_reader::next_of(std::uint8_t constructor) noexcept {
  value_view out;
  if (auto const wrong = take_of(constructor, out); wrong != fine) return wrong;
  return out;
}

value_reader::fault value_reader::take(value_view& out) noexcept {
  if (left_.empty()) return errc::truncated;
  auto const constructor = static_cast<std::uint8_t>(left_.front());
  left_.remove_prefix(1);
  return constructor == 0 ? take_described(out) : take_of(constructor, out);
}

value_reader::fault value_reader::take_of(std::uint8_t constructor, value_view& out) noexcept {
  if (constructor >= 0xa0) {
    if (constructor >= 0xc0) return take_compound(constructor, out);
    std::size_t const width = constructor >= 0xb0 ? 4 : 1;
    if (left_.size() < width) return errc::truncated;
    auto const size = static_cast<std::size_t>(big_endian_of(left_, width));
    switch (constructor & 0x0f) {
      case 0x0: out.type_ = type::binary; break;
      case 0x1: out.type_ = type::string; break;
      case 0x3: out.type_ = type::symbol; break;
      default: return errc::unknown_encoding;
    }
    if (left_.size() - width < size) return errc::truncated;
    out.bytes_ = left_.substr(width, size);
    left_.remove_prefix(width + size);
    return fine;
  }
  switch (constructor) {
    case 0x40: return fine;
    case 0x41: out.bits_ = 1; [[fallthrough]];
    case 0x42: out.type_ = type::boolean; return fine;
    case 0x43: out.type_ = type::uint32; return fine;
    case 0x44: out.type_ = type::uint64; return fine;
    case 0x45: out.type_ = type::list; return fine;
    case 0x94:
    case 0x98:
      if (left_.size() < 16) return errc::truncated;
      out.type_ = constructor == 0x94 ? type::decimal128 : type::uuid;
      out.bytes_ = left_.substr(0, 16);
      left_.remove_prefix(16);
      return fine;
    default: break;
  }
  fixed const number = fixed_widths[constructor];
  if (number.of == type::null) return errc::unknown_encoding;
  std::size_t const width = std::size_t{1} << ((constructor >> 4) - 5);
  if (left_.size() < width) return errc::truncated;
  std::uint64_t bits = big_endian_of(left_, width);
  if (number.is_signed) {
    auto const above = 64 - 8 * width;  // carries the sign
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << above) >> above);
  }
  if (number.of == type::boolean && bits > 1) return errc::unknown_encoding;
  out.type_ = number.of;
  out.bits_ = bits;
  left_.remove_prefix(width);
  return fine;
}

// Described, perhaps, by one that is described itself: no recursion, a peer could nest them without end.
value_reader::fault value_reader::take_described(value_view& out) noexcept {
  std::string_view const from = left_;
  std::size_t values = 2, depth = 0;  // to come: a descriptor and a value
  while (values > 0) {
    if (left_.empty()) return errc::truncated;
    auto const constructor = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    if (constructor == 0) {
      if (++depth == deepest) return errc::too_deep;
      ++values;  // one more than the one that it stands for
      continue;
    }
    value_view one;
    if (auto const wrong = take_of(constructor, one); wrong != fine) return wrong;
    --values;
  }
  out.type_ = type::described;
  out.bytes_ = from.substr(0, from.size() - left_.size());
  return fine;
}

value_reader::fault value_reader::take_compound(std::uint8_t constructor, value_view& out) noexcept {
  type of = type::null;
  switch (constructor & 0xef) {
    case 0xc0: of = type::list; break;
    case 0xc1: of = type::map; break;
    case 0xe0: of = type::array; break;
    default: return errc::unknown_encoding;
  }
  std::size_t const width = (constructor & 0x10) != 0 ? 4 : 1;
  if (left_.size() < width) return errc::truncated;
  auto const size = static_cast<std::size_t>(big_endian_of(left_, width));
  if (left_.size() - width < size) return errc::truncated;
  if (size < width) return errc::wrong_size;
  auto const count = static_cast<std::size_t>(big_endian_of(left_.substr(width), width));
  std::string_view const items = left_.substr(2 * width, size - width);
  left_.remove_prefix(width + size);
  if (of == type::array) return look_at_array(items, count, out);
  if (count > items.size() || (of == type::map && count % 2 != 0)) return errc::wrong_size;
  out.type_ = of;
  out.bytes_ = items;
  out.bits_ = count;
  return fine;
}

value_reader::fault value_reader::look_at_array(std::string_view bytes, std::size_t count, value_view& out) noexcept {
  if (bytes.empty()) {  // some leave out the constructor where there is nothing to construct
    if (count != 0) return errc::wrong_size;
    out.type_ = type::array;
    return fine;
  }
  value_reader items(bytes);
  while (items.left_.front() == 0) {  // described items: what by is not kept. A symbol or a number says it; others could nest without end
    items.left_.remove_prefix(1);
    if (!items.left_.empty() && (items.left_.front() == 0 || static_cast<std::uint8_t>(items.left_.front()) >= 0xc0)) return errc::too_deep;
    value_view by;
    if (auto const wrong = items.take(by); wrong != fine) return wrong;
    if (items.left_.empty()) return errc::truncated;
  }
  auto const constructor = static_cast<std::uint8_t>(items.left_.front());
  std::string_view const encoded = items.left_.substr(1);
  std::size_t const width = least_width(constructor);
  if (width == 0 ? count > most_without_bytes : count > encoded.size() / width) return errc::wrong_size;
  out.type_ = type::array;
  out.constructor_ = constructor;
  out.bytes_ = encoded;
  out.bits_ = count;
  return fine;
}

errc item_reader::take(value_view& out) noexcept {
  if (auto const wrong = constructor_ == 0 ? reader_.take(out) : reader_.take_of(constructor_, out); wrong != fine) return wrong;
  if (--left_ == 0 && !reader_.at_end()) return errc::wrong_size;
  return fine;
}

result<value_view> item_reader::next() noexcept {
  value_view out;
  if (left_ == 0) return out;
  if (auto const wrong = take(out); wrong != fine) return wrong;
  return out;
}

result<value_view> find(value_view map, std::string_view key) noexcept {
  result<value_view> out{value_view()};
  if (map.type() != type::map) return out;
  for (item_reader items = map.items(); items.left() != 0;) {
    value_view name;
    *out = value_view();
    auto wrong = items.take(name);
    if (wrong == fine) wrong = items.take(*out);
    if (wrong != fine) {
      out = wrong;
      return out;
    }
    if ((name.type() == type::symbol || name.type() == type::string) && name.bytes() == key) return out;
  }
  *out = value_view();
  return out;
}

}  // namespace weir::amqp
