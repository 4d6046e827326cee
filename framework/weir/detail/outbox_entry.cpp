#include <weir/detail/outbox_entry.hpp>

#include <weir/codec.hpp>
#include <weir/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

constexpr std::size_t digits = 20;  // of the largest number, so that keys are in the order of numbers

std::string key_of_message(std::string_view topic, std::uint64_t number) {
  std::string const n = std::to_string(number);
  return std::string(topic) + '/' + std::string(digits - n.size(), '0') + n;
}

}  // namespace

state_change put_message(std::string_view topic, std::uint64_t number, std::string_view payload) {
  auto const bytes = std::as_bytes(std::span(payload));
  return state_change::put(std::string(outbox_id), key_of_message(topic, number), std::vector<std::byte>(bytes.begin(), bytes.end()));
}

state_change erase_message(std::string_view topic, std::uint64_t number) {
  return state_change::erase(std::string(outbox_id), key_of_message(topic, number));
}

state_change put_last_number(std::string_view topic, std::uint64_t number) {
  std::vector<std::byte> value;
  encode_state(number, value);
  return state_change::put(std::string(outbox_id), std::string(topic) + '/', std::move(value));
}

outbox_entry parse_outbox_key(std::string_view key) {
  if (key.ends_with('/')) return {std::string(key.substr(0, key.size() - 1)), std::nullopt};
  if (key.size() > digits && key[key.size() - digits - 1] == '/') {
    std::string_view const number = key.substr(key.size() - digits);
    std::uint64_t n = 0;
    auto const [end, failed] = std::from_chars(number.data(), number.data() + number.size(), n);
    if (failed == std::errc() && end == number.data() + number.size() && n != 0)
      return {std::string(key.substr(0, key.size() - digits - 1)), n};
  }
  throw error(errc::corrupt, "outbox: cannot be restored", "it has an entry with the key \"" + std::string(key) + "\", which is no message",
              "start from an undamaged checkpoint that this pipeline wrote");
}

}  // namespace weir::detail
