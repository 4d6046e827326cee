// A checkpoint whose every version has another state, which can be told from the version: for stores that are killed while they commit.
#pragma once
#include <weir/state_store.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// Of a size that changes, up to 54 kB.
inline std::vector<std::byte> bytes_of(std::uint64_t version) {
  std::vector<std::byte> out(100 + version % 7 * 9000);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(version * 31 + i);
  return out;
}
/// Two entries are written by every commit; one in ten is, and stays for ten of them; a prefix goes.
inline checkpoint_update update_to(std::uint64_t version) {
  std::string const digit = std::to_string(version % 10);
  std::vector<state_change> changes{state_change::erase_prefix("old", digit), state_change::put("old", digit + " kept", bytes_of(version)),
                                    state_change::put("window", "a", bytes_of(version)),
                                    state_change::put("window", "b", bytes_of(version + 1))};
  return {checkpoint_head(position(version), static_cast<instant>(version), version, "run-1"), std::move(changes)};
}
/// What all of them up to this one come to, not by adding them up.
inline saved_checkpoint checkpoint_at(std::uint64_t version) {
  saved_checkpoint out(update_to(version).head);
  for (std::uint64_t digit = 0; digit != 10; ++digit) {
    std::uint64_t const last = version - (version % 10 + 10 - digit) % 10;
    if (last >= 1 && last <= version) out.entries.emplace_back("old", std::to_string(digit) + " kept", bytes_of(last));
  }
  out.entries.emplace_back("window", "a", bytes_of(version));
  out.entries.emplace_back("window", "b", bytes_of(version + 1));
  return out;
}

}  // namespace weir::test
