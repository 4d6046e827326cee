#include <weir/amqp/detail/composite.hpp>
#include <weir/amqp/detail/raw_reading.hpp>

#include <array>
#include <string_view>

namespace weir::amqp::detail {

std::uint64_t code_of(value_view descriptor) noexcept {
  if (auto const number = descriptor.unsigned_integer()) return *number;
  static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 35> names{{
      {"amqp:open:list", 0x10},
      {"amqp:begin:list", 0x11},
      {"amqp:attach:list", 0x12},
      {"amqp:flow:list", 0x13},
      {"amqp:transfer:list", 0x14},
      {"amqp:disposition:list", 0x15},
      {"amqp:detach:list", 0x16},
      {"amqp:end:list", 0x17},
      {"amqp:close:list", 0x18},
      {"amqp:error:list", 0x1d},
      {"amqp:received:list", 0x23},
      {"amqp:accepted:list", 0x24},
      {"amqp:rejected:list", 0x25},
      {"amqp:released:list", 0x26},
      {"amqp:modified:list", 0x27},
      {"amqp:source:list", 0x28},
      {"amqp:target:list", 0x29},
      {"amqp:delete-on-close:list", 0x2b},
      {"amqp:delete-on-no-links:list", 0x2c},
      {"amqp:delete-on-no-messages:list", 0x2d},
      {"amqp:delete-on-no-links-or-messages:list", 0x2e},
      {"amqp:sasl-mechanisms:list", 0x40},
      {"amqp:sasl-init:list", 0x41},
      {"amqp:sasl-challenge:list", 0x42},
      {"amqp:sasl-response:list", 0x43},
      {"amqp:sasl-outcome:list", 0x44},
      {"amqp:header:list", 0x70},
      {"amqp:delivery-annotations:map", 0x71},
      {"amqp:message-annotations:map", 0x72},
      {"amqp:properties:list", 0x73},
      {"amqp:application-properties:map", 0x74},
      {"amqp:data:binary", 0x75},
      {"amqp:amqp-sequence:list", 0x76},
      {"amqp:amqp-value:*", 0x77},
      {"amqp:footer:map", 0x78},
  }};
  if (auto const name = descriptor.text())
    for (auto const& [text, code] : names)
      if (text == *name) return code;
  return 0;
}

result<std::pair<std::uint64_t, value_view>> read_described(value_reader& from) noexcept {
  std::pair<std::uint64_t, value_view> out;
  if (auto const wrong = take_code(from, out.first); wrong != errc{}) return wrong;
  if (auto const wrong = raw_reading::take(from, out.second); wrong != errc{}) return wrong;
  return out;
}

errc take_code(value_reader& from, std::uint64_t& code) noexcept {
  std::string_view const left = from.left();
  if (left.empty() || left.front() != 0) {
    auto const other = from.next();
    return other ? errc::wrong_type : other.error();
  }
  if (left.size() > 2 && left[1] == 0x53) {  // a number of one byte, as that of everything in the standard
    code = static_cast<unsigned char>(left[2]);
    from = value_reader(left.substr(3));
    return errc{};
  }
  from = value_reader(left.substr(1));
  value_view by;
  if (auto const wrong = raw_reading::take(from, by); wrong != errc{}) return wrong;
  code = code_of(by);
  return errc{};
}

}  // namespace weir::amqp::detail
