#pragma once
#include <weir/postgres/parameters.hpp>
#include <weir/postgres/result.hpp>
#include <weir/state_store.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::postgres::detail {

// The columns of a head, in the order in which `read_head` expects them.
inline constexpr std::string_view head_columns = "id, position, written_at, version, writer, entries, checksum";

// A row of the table checkpoints.
struct stored_head {
  std::int64_t id = 0;
  checkpoint_head head;
  std::int64_t entries = 0;
};

std::int64_t check_of(checkpoint_key const& key, stored_head const& row);
std::int64_t check_of(std::int64_t checkpoint, std::string_view of_operator, std::string_view key, std::string_view value);

// Reads the columns of a binary result from `first` on. Throws errc::corrupt when they are not what was written.
stored_head read_head(result const& rows, int row, int first, checkpoint_key const& key, std::string const& server);

[[noreturn]] void fail_corrupt(checkpoint_key const& key, std::string const& server, std::string why);

// $1, $2, $3.
parameters names_of(checkpoint_key const& key);
// What commits of `key` lock in this schema.
std::int64_t lock_of(std::string_view schema, checkpoint_key const& key);

// Throw errc::too_large.
void check_limits(checkpoint_key const& key);
void check_limits(checkpoint_key const& key, state_change const& change);

}  // namespace weir::postgres::detail
