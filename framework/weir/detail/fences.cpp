#include <weir/detail/fences.hpp>

#include <weir/codec.hpp>
#include <weir/fences_id.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace weir::detail {

fences fences_in(std::vector<state_entry> const& entries) {
  fences out;
  auto const found = std::ranges::find(entries, fences_id, &state_entry::operator_id);
  if (found == entries.end()) return out;
  std::span<std::byte const> from = found->value;
  out.count = decode_part<std::uint64_t>(from);
  out.last = decode_state<std::uint64_t>(from);
  return out;
}

fences take_fences(std::vector<state_entry>& entries) {
  fences const out = fences_in(entries);
  std::erase_if(entries, [](state_entry const& e) { return e.operator_id == fences_id; });
  return out;
}

state_change one_more(fences before, std::uint64_t version) {
  std::vector<std::byte> value;
  encode_state(before.count + 1, value);
  encode_state(version, value);
  return state_change::put(std::string(fences_id), "", std::move(value));
}

}  // namespace weir::detail
