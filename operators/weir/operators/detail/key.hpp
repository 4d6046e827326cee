#pragma once
#include <boost/container_hash/hash.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weir::detail {
namespace lookup {
using boost::hash_value;
template <class K>
concept has_hash_value = requires(K const& k) {
  { hash_value(k) } -> std::convertible_to<std::size_t>;
};
}  // namespace lookup

template <class F, class T>
concept gives_key = std::invocable<F&, T const&> && !std::is_void_v<std::invoke_result_t<F&, T const&>>;

// A key outlives its element, so text is kept as a string, whatever view of the element the function returns.
template <class K>
inline constexpr bool is_text = std::is_convertible_v<K const&, std::string_view> && !std::is_same_v<std::decay_t<K>, std::nullptr_t>;
template <class F, class T> using returned_key = std::remove_cvref_t<std::invoke_result_t<F&, T const&>>;
template <class F, class T>
using owned_key = std::conditional_t<is_text<returned_key<F, T>>, std::string, std::decay_t<returned_key<F, T>>>;

// A key as rows are looked up by it: text as a view, so that no string is made for a key that is there.
template <class Q> decltype(auto) as_looked_up(Q const& key) {
  if constexpr (is_text<Q>) return std::string_view(key);
  else return (key);
}

template <class K>
concept has_std_hash = requires(K const& k) {
  { std::hash<K>{}(k) } -> std::convertible_to<std::size_t>;
};
template <class K>
concept hashable_key = std::equality_comparable<K> && std::move_constructible<K> && (has_std_hash<K> || lookup::has_hash_value<K>);

template <class K> struct key_hash {
  std::size_t operator()(K const& k) const {
    if constexpr (has_std_hash<K>) return std::hash<K>{}(k);
    else return boost::hash<K>{}(k);
  }
};
template <> struct key_hash<std::string> {
  using is_transparent = void;
  using is_avalanching = void;
  std::size_t operator()(std::string_view k) const noexcept { return std::hash<std::string_view>{}(k); }
};

}  // namespace weir::detail
