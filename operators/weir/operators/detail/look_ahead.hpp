#pragma once
#include <cstddef>
#include <type_traits>

// When a stage fetches ahead what elements to come will need of its memory (`looks_ahead` of weir/stage.hpp).
namespace weir::detail {

// Tables of so many entries do not fit into the processor's caches: fetching from memory is most of the cost of an element.
inline constexpr std::size_t beyond_caches = 10'000;

// Functions of the element that cannot fail or change something: they are called ahead of its turn.
template <class F, class T>
concept callable_ahead = std::is_nothrow_invocable_v<F const&, T const&>;

}  // namespace weir::detail
