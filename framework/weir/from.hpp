#pragma once
#include <weir/error.hpp>
#include <weir/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// Shows one piece of a range after the other; not a coroutine.
template <class T> class range_producer : public producer<T>, public pooled {
public:
  range_producer(std::span<T> all, std::size_t chunk) : rest_(all), chunk_(chunk) {
    if (chunk == 0) throw error(errc::invalid_option, "from: cannot be built", "its chunks have 0 elements", "give it at least 1");
  }
  void dispose() noexcept final { delete this; }

protected:
  virtual ~range_producer() = default;

private:
  std::coroutine_handle<> produce() noexcept override {
    auto const part = rest_.first(std::min(chunk_, rest_.size()));
    rest_ = rest_.subspan(part.size());
    this->show(part.data(), part.data() + part.size());
    this->done = part.empty();
    return {};
  }
  std::span<T> rest_;
  std::size_t chunk_;
};

template <class T> struct owned_range {
  explicit owned_range(std::vector<T> v) noexcept : owned(std::move(v)) {}
  std::vector<T> owned;
};
template <class T> class owning_range_producer final : private owned_range<T>, public range_producer<T> {
public:
  owning_range_producer(std::vector<T> v, std::size_t chunk) : owned_range<T>(std::move(v)), range_producer<T>(this->owned, chunk) {}
};

}  // namespace detail

/// A stream over elements in memory, handed over `chunk` at a time; no coroutine.
///
/// The elements are given away: whoever is downstream may change them and move from them. The memory must outlive the stream.
/// - Emits when: asked.   Completes when: all were handed over.   Fails: never.   Cancelled: at the next chunk.
/// `chunk` >= 1 elements (default 256).   Errors: `errc::invalid_option` when built.   Strand only.
template <class T> stream<T> from(std::span<T> elements, std::size_t chunk = 256) {
  static_assert(!std::is_const_v<T>, "weir: from gives its elements away; copy them into a vector: from(std::vector<T>(...))");
  return stream<T>(new detail::range_producer<T>(elements, chunk));
}

/// The same over a vector that the stream owns: `from(std::vector{1, 2, 3})`. An lvalue is copied.
template <class T> stream<T> from(std::vector<T> elements, std::size_t chunk = 256) {
  static_assert(!std::is_same_v<T, bool>, "weir: a std::vector<bool> has no elements to point to; use std::vector<char>");
  return stream<T>(new detail::owning_range_producer<T>(std::move(elements), chunk));
}

}  // namespace weir
