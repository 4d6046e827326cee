#pragma once
#include <weir/redis/detail/reply.hpp>
#include <weir/redis/detail/state_keys.hpp>
#include <weir/redis/options.hpp>
#include <weir/state_store.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weir::redis::detail {

// What the scripts say of a checkpoint, and what they are told.
struct stored_head {
  stored_head(checkpoint_head h, std::uint64_t n) noexcept : head(std::move(h)), entries(n) {}
  checkpoint_head head;
  std::uint64_t entries;
};

// Null: absent. Throws errc::corrupt, errc::incompatible.
std::optional<stored_head> read_head(reply const& answer, checkpoint_key const& key, options const& where);
// A field and a value of `load`. Throws errc::corrupt.
state_entry read_entry(std::string_view field, std::string_view value, checkpoint_key const& key, state_keys const& keys,
                       options const& where);
// How many bytes operator, key and value have, of a value whose size is as the server says.
std::uint64_t size_of(std::string_view field, std::int64_t stored) noexcept;
[[noreturn]] void refuse_stored(std::string why, checkpoint_key const& key, options const& where);

// The arguments of `commit` that are the head.
std::vector<std::string> head_arguments(checkpoint_head const& head);
// The steps, one behind the other: kind (1 byte), field and value, each behind its size (4); of a prefix the value is the first field
// behind it. In pieces, each of some whole steps. Throws errc::too_large.
std::vector<std::string> pack(std::vector<state_change> const& changes, checkpoint_key const& key, state_keys const& keys);

}  // namespace weir::redis::detail
