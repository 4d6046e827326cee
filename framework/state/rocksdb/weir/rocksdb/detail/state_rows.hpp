#pragma once
#include <weir/rocksdb/detail/database.hpp>
#include <weir/state_store.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::rocksdb::detail {

// How checkpoints lie in the database, ordered as they are compared (see ordered_bytes.hpp):
//   'c' pipeline stream partition               a head
//   's' pipeline stream partition operator key  an entry; the key as it is
// Every value has eight bytes in front: a checksum over key and value.
std::optional<checkpoint_head> find_head(database& db, checkpoint_key const& key);
std::vector<state_entry> entries_of(database& db, checkpoint_key const& key);
// Those that are not read through: the others are not touched.
std::vector<state_entry> resident_entries_of(database& db, checkpoint_key const& key);
std::optional<std::vector<std::byte>> find_entry(database& db, checkpoint_key const& of, std::string_view operator_id,
                                                 std::string_view key);
void each_entry(database& db, checkpoint_key const& of, std::string_view operator_id,
                std::function<void(std::string_view, std::span<std::byte const>)> const& f);
std::vector<checkpoint_listing> list_heads(database& db, std::string const& pipeline);
std::vector<checkpoint_key> list_keys(database& db);

void add_head(write_batch& to, checkpoint_key const& key, checkpoint_head const& head);
void add_changes(write_batch& to, checkpoint_key const& key, std::vector<state_change> const& changes);
void add_erasure(write_batch& to, checkpoint_key const& key);

}  // namespace weir::rocksdb::detail
