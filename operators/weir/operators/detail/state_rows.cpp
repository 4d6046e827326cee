#include <weir/operators/detail/state_rows.hpp>

namespace weir::detail {
namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;  // turned round, so that times before 1970 come first

}  // namespace

std::span<std::byte const> take_head(std::string_view who, std::span<state_entry const>& from) {
  if (from.empty() || !from.front().key.empty()) throw_damaged_state(who, "its head is missing");
  std::span<std::byte const> const head = from.front().value;
  from = from.subspan(1);
  return head;
}

void put_in_name(std::string& to, std::uint64_t n) {
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>(n >> shift & 0xff);
}
void put_time_in_name(std::string& to, instant t) { put_in_name(to, static_cast<std::uint64_t>(t) ^ sign); }

std::uint64_t take_from_name(std::string_view who, std::string_view& from) {
  if (from.size() < sizeof(std::uint64_t)) throw_damaged_state(who, "it has an entry whose name is cut short");
  std::uint64_t n = 0;
  for (char const c : from.substr(0, sizeof n)) n = n << 8 | static_cast<unsigned char>(c);
  from.remove_prefix(sizeof n);
  return n;
}
instant take_time_from_name(std::string_view who, std::string_view& from) { return static_cast<instant>(take_from_name(who, from) ^ sign); }

}  // namespace weir::detail
