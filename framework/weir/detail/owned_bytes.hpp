#pragma once
#include <weir/aggregate_codec.hpp>
#include <weir/codec.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

template <class T>
concept says_memory = requires(T const& x) {
  { x.memory() } -> std::convertible_to<std::size_t>;
};

// How many bytes a value has elsewhere, beside its own place: of texts, vectors, and of what is made of them, by their capacity; of what
// has a member `memory()`, as it says. Of other types it is not known: none.
template <class T> struct owned {
  static constexpr bool nothing = std::is_trivially_copyable_v<T>;
  static constexpr bool known = nothing || says_memory<T> || simple_struct<T>;
  static std::size_t bytes(T const& x) {
    if constexpr (nothing || !known) {
      return 0;
    } else if constexpr (says_memory<T>) {
      return x.memory();
    } else {
      return std::apply([](auto const&... m) { return (std::size_t{0} + ... + owned<std::remove_cvref_t<decltype(m)>>::bytes(m)); },
                        members_of(x));
    }
  }
};

template <> struct owned<std::string> {
  static constexpr bool nothing = false, known = true;
  static constexpr std::size_t inside = 15;  // so many are in the string itself: libstdc++'s std::string
  static std::size_t bytes(std::string const& s) noexcept { return s.capacity() > inside ? s.capacity() + 1 : 0; }
};

template <class T> struct owned<std::vector<T>> {
  static constexpr bool nothing = false, known = owned<T>::known;
  static std::size_t bytes(std::vector<T> const& v) {
    std::size_t all = v.capacity() * sizeof(T);
    if constexpr (!owned<T>::nothing)
      for (T const& x : v) all += owned<T>::bytes(x);
    return all;
  }
};

template <class T> struct owned<std::optional<T>> {
  static constexpr bool nothing = owned<T>::nothing, known = owned<T>::known;
  static std::size_t bytes(std::optional<T> const& x) { return x ? owned<T>::bytes(*x) : 0; }
};

template <class A, class B> struct owned<std::pair<A, B>> {
  static constexpr bool nothing = owned<A>::nothing && owned<B>::nothing, known = owned<A>::known && owned<B>::known;
  static std::size_t bytes(std::pair<A, B> const& x) { return owned<A>::bytes(x.first) + owned<B>::bytes(x.second); }
};

template <class... T> struct owned<std::tuple<T...>> {
  static constexpr bool nothing = (owned<T>::nothing && ...), known = (owned<T>::known && ...);
  static std::size_t bytes(std::tuple<T...> const& x) {
    return std::apply([](auto const&... m) { return (std::size_t{0} + ... + owned<T>::bytes(m)); }, x);
  }
};

template <class T, std::size_t N> struct owned<std::array<T, N>> {
  static constexpr bool nothing = owned<T>::nothing, known = owned<T>::known;
  static std::size_t bytes(std::array<T, N> const& xs) {
    std::size_t all = 0;
    if constexpr (!nothing)
      for (T const& x : xs) all += owned<T>::bytes(x);
    return all;
  }
};

template <class T> std::size_t owned_bytes(T const& x) { return owned<T>::bytes(x); }
// Values of the type have no memory of their own.
template <class T> inline constexpr bool owns_nothing = owned<T>::nothing;

// The mean of some sizes, those noted last.
class sampled_size {
public:
  void note(std::size_t bytes) noexcept {
    looks_ = std::min(looks_ + 1, most_looks);
    mean_ += (static_cast<double>(bytes) - mean_) / looks_;
  }
  // ... of `n` values.
  std::size_t of(std::size_t n) const noexcept { return static_cast<std::size_t>(mean_ * static_cast<double>(n)); }

private:
  static constexpr double most_looks = 64;
  double mean_ = 0, looks_ = 0;
};

// What the values of a container have elsewhere, by some of them. Where it is not known how much one has, but it can be in a checkpoint, as
// much as it would have there.
template <class T> class sampled_bytes {
public:
  // Looks at one of them.
  void look_at(T const& x) {
    if constexpr (owned<T>::nothing) {
    } else if constexpr (!owned<T>::known && encodable<T>) {
      encoded_.clear();
      encode_state(x, encoded_);
      size_.note(encoded_.size());
    } else {
      size_.note(owned<T>::bytes(x));
    }
  }
  std::size_t of(std::size_t n) const noexcept { return size_.of(n); }
  // All that a vector takes. Looks at the last one in it.
  std::size_t memory_of(std::vector<T> const& v) {
    if (!v.empty()) look_at(v.back());
    return v.capacity() * sizeof(T) + of(v.size());
  }

private:
  sampled_size size_;
  std::vector<std::byte> encoded_;
};

}  // namespace weir::detail
