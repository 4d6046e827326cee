#include <weir/amqp/encoder.hpp>

#include <bit>
#include <limits>

namespace weir::amqp {
namespace {

constexpr std::size_t head = 9;        // of what is begun: constructor, size and count, four bytes each
constexpr std::size_t short_head = 3;  // of what turned out to be short: one byte each

void append_big_endian(std::string& out, std::uint64_t value, std::size_t width) {
  for (std::size_t i = width; i-- > 0;) out.push_back(static_cast<char>(value >> (8 * i)));
}
void put_big_endian(std::string& out, std::size_t at, std::uint64_t value, std::size_t width) {
  for (std::size_t i = width; i-- > 0;) out[at++] = static_cast<char>(value >> (8 * i));
}

}  // namespace

void encoder::byte(std::uint8_t constructor) {
  ++count_;
  out_->push_back(static_cast<char>(constructor));
}

void encoder::fixed(std::uint8_t constructor, std::uint64_t value, std::size_t width) {
  byte(constructor);
  append_big_endian(*out_, value, width);
}

void encoder::sized(std::uint8_t constructor, std::string_view bytes) {
  if (bytes.size() <= 0xff) {
    fixed(constructor, bytes.size(), 1);
  } else {
    fixed(static_cast<std::uint8_t>(constructor + 0x10), bytes.size(), 4);
  }
  out_->append(bytes);
}

void encoder::uint8(std::uint8_t v) { fixed(0x50, v, 1); }
void encoder::uint16(std::uint16_t v) { fixed(0x60, v, 2); }

void encoder::uint32(std::uint32_t v) {
  if (v == 0) return byte(0x43);
  if (v <= 0xff) return fixed(0x52, v, 1);
  fixed(0x70, v, 4);
}

void encoder::uint64(std::uint64_t v) {
  if (v == 0) return byte(0x44);
  if (v <= 0xff) return fixed(0x53, v, 1);
  fixed(0x80, v, 8);
}

void encoder::int32(std::int32_t v) {
  bool const small = v >= std::numeric_limits<std::int8_t>::min() && v <= std::numeric_limits<std::int8_t>::max();
  fixed(small ? 0x54 : 0x71, static_cast<std::uint32_t>(v), small ? 1 : 4);
}

void encoder::int64(std::int64_t v) {
  bool const small = v >= std::numeric_limits<std::int8_t>::min() && v <= std::numeric_limits<std::int8_t>::max();
  fixed(small ? 0x55 : 0x81, static_cast<std::uint64_t>(v), small ? 1 : 8);
}

void encoder::float64(double v) { fixed(0x82, std::bit_cast<std::uint64_t>(v), 8); }
void encoder::timestamp(std::int64_t ms) { fixed(0x83, static_cast<std::uint64_t>(ms), 8); }

void encoder::uuid(std::string_view bytes) {
  byte(0x98);
  out_->append(bytes);
}

void encoder::described_by(std::uint64_t descriptor) {
  out_->push_back('\0');
  std::size_t const before = count_;
  uint64(descriptor);
  count_ = before;
}

void encoder::described_by_symbol(std::string_view descriptor) {
  out_->push_back('\0');
  std::size_t const before = count_;
  symbol(descriptor);
  count_ = before;
}

encoder::mark encoder::begin(std::uint8_t constructor) {
  mark const from{out_->size(), count_};
  out_->push_back(static_cast<char>(constructor));
  out_->append(head - 1, '\0');
  count_ = 0;
  return from;
}

encoder::mark encoder::begin_symbols() {
  mark const from = begin(0xf0);
  out_->push_back(static_cast<char>(0xb3));
  return from;
}

void encoder::array_symbol(std::string_view text) {
  ++count_;
  append_big_endian(*out_, text.size(), 4);
  out_->append(text);
}

void encoder::end(mark const& from) { end_at(from, count_, out_->size()); }

void encoder::end_at(mark const& from, std::size_t items, std::size_t size) {
  out_->resize(size);
  count_ = from.items + 1;
  std::size_t const bytes = size - from.at - head;
  auto const constructor = static_cast<std::uint8_t>((*out_)[from.at]);
  if (items == 0 && constructor == 0xd0) {
    out_->resize(from.at);
    out_->push_back(0x45);
    return;
  }
  if (items <= 0xff && bytes + 1 <= 0xff) {
    out_->erase(from.at + short_head, head - short_head);
    (*out_)[from.at] = static_cast<char>(constructor - 0x10);
    put_big_endian(*out_, from.at + 1, bytes + 1, 1);
    put_big_endian(*out_, from.at + 2, items, 1);
    return;
  }
  put_big_endian(*out_, from.at + 1, bytes + 4, 4);
  put_big_endian(*out_, from.at + 5, items, 4);
}

}  // namespace weir::amqp
