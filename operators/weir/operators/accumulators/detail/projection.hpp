#pragma once
#include <weir/detail/state_bytes.hpp>
#include <weir/operators/detail/key.hpp>

#include <concepts>
#include <string>
#include <type_traits>

// What an accumulator takes of an element, and how it keeps it.
namespace weir::detail {

template <class P, class T>
concept projects = gives_key<P const, T>;

// A state outlives its elements: text that is only seen through a view or a pointer is kept as a string.
template <class V> using owned_value = std::conditional_t<is_text<V> && leads_elsewhere<V>, std::string, V>;
template <class P, class T> using projected = owned_value<std::decay_t<std::invoke_result_t<P const&, T const&>>>;

template <class V>
concept has_order = requires(V const& a, V const& b) {
  { a < b } -> std::convertible_to<bool>;
};

// Small values are copied: as far as the compiler knows, whoever writes to the state may change the element.
template <class V>
using held = std::conditional_t<std::is_trivially_copyable_v<std::decay_t<V>> && sizeof(std::decay_t<V>) <= 32, std::decay_t<V> const, V&&>;

}  // namespace weir::detail
