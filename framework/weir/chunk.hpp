#pragma once
#include <weir/instant.hpp>
#include <weir/mark.hpp>

#include <span>

namespace weir {

/// What a chunk has beside its elements. A chunk of plain elements has none of it and costs nothing for it.
struct chunk_extras {
  chunk_extras() = default;
  chunk_extras(instant const* t, std::span<mark const> m) noexcept : times(t), marks(m) {}
  instant const* times = nullptr;  ///< event times, one per element, on a timed stream
  std::span<mark const> marks;     ///< ordered by `at`
};

/// Elements a producer holds until the next pull. The consumer may change them in place and move from them.
template <class T> struct chunk : chunk_extras {
  chunk() = default;
  explicit chunk(std::span<T> e) noexcept : elements(e) {}
  chunk(std::span<T> e, instant const* t, std::span<mark const> m) noexcept : chunk_extras(t, m), elements(e) {}
  explicit operator bool() const noexcept { return !elements.empty() || !marks.empty(); }
  std::span<T> elements;
};

}  // namespace weir
