#pragma once
#include <weir/heir.hpp>

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

// Which partition key the records of an operator's key have, so that what is kept for it can go over to the partition where they come next.
namespace weir::detail {

// What key_by was told with `partitioned_by`.
template <class Key, class PartitionKey> class routed_key {
public:
  routed_key(Key key, PartitionKey of) : key_(std::move(key)), of_(std::move(of)) {}
  template <class T>
    requires std::invocable<Key&, T const&>
  decltype(auto) operator()(T const& x) {
    return std::invoke(key_, x);
  }
  template <class T>
    requires std::invocable<Key const&, T const&>
  decltype(auto) operator()(T const& x) const {
    return std::invoke(key_, x);
  }
  template <class K> std::string partition_key(K const& key) const { return std::string(std::invoke(of_, key)); }

private:
  [[no_unique_address]] Key key_;
  [[no_unique_address]] PartitionKey of_;
};
template <class Key> inline constexpr bool is_routed = false;
template <class Key, class PartitionKey> inline constexpr bool is_routed<routed_key<Key, PartitionKey>> = true;

template <class K>
concept written_number = std::integral<K> && !std::same_as<K, bool> && !std::same_as<K, char> && !std::same_as<K, wchar_t> &&
                         !std::same_as<K, char8_t> && !std::same_as<K, char16_t> && !std::same_as<K, char32_t>;
// Whether it is known: of texts it is the text, of whole numbers their digits, of others what key_by was told.
template <class Key, class K>
concept routable_key = is_routed<Key> || std::same_as<K, std::string> || written_number<K>;

template <class Key, class K>
  requires routable_key<Key, K>
std::string partition_key_of(Key const& f, K const& key) {
  if constexpr (is_routed<Key>) return f.partition_key(key);
  else if constexpr (written_number<K>) return std::to_string(key);
  else return key;
}

// Whether what is kept for a key is the heir's.
template <class Key> class inherited_by {
public:
  inherited_by(heir const& by, Key const& f) noexcept : by_(by), f_(f) {}
  template <class K> bool operator()(K const& key) const { return by_.owns(partition_key_of(f_, key)); }

private:
  heir const& by_;
  Key const& f_;
};

}  // namespace weir::detail
