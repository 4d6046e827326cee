#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/key_bytes.hpp>
#include <weir/operators/detail/state_errors.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// State with an entry for each row of a table, so that a checkpoint writes only those that have changed, and one without a key, the head,
// for what there is beside: it is written with each.
namespace weir::detail {

// Takes the head off. Throws errc::corrupt when there is none.
std::span<std::byte const> take_head(std::string_view who, std::span<state_entry const>& from);

// What the entry of a row is called: '=' and its key, text as it is.
template <class K> std::string row_name(K const& key) {
  std::string name("=");
  if constexpr (std::same_as<K, std::string>) {
    name += key;
  } else {
    std::vector<std::byte> bytes;
    encode_key(key, bytes);
    for (std::byte const b : bytes) name += static_cast<char>(b);
  }
  return name;
}
// The key of a row by its entry's name. Throws errc::corrupt when it is not one.
template <class K> K key_of_row(std::string_view who, std::string_view name) {
  if (!name.starts_with('=')) throw_damaged_state(who, "it has an entry that is no row");
  name.remove_prefix(1);
  if constexpr (std::same_as<K, std::string>) {
    return std::string(name);
  } else {
    std::span<std::byte const> bytes = std::as_bytes(std::span(name));
    K key = decode_key<K>(bytes);
    if (!bytes.empty()) throw_state_left_over();
    return key;
  }
}

// Numbers and times in names, so that the names are in their order.
void put_in_name(std::string& to, std::uint64_t n);
void put_time_in_name(std::string& to, instant t);
// Take them from the front. Throw errc::corrupt when there is none.
std::uint64_t take_from_name(std::string_view who, std::string_view& from);
instant take_time_from_name(std::string_view who, std::string_view& from);

}  // namespace weir::detail
