#pragma once
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

// Hashes that are the same on every machine and in every run and version, so that what is made of them can be kept in checkpoints.
namespace weir::detail {

// SplitMix64 of a number: one to one, and every bit in depends on every bit out. Source: Steele, Lea, Flood, OOPSLA 2014; constants:
// Stafford.
constexpr std::uint64_t splitmix64(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// XXH64 with the seed 0. Source: xxHash's specification, version 0.1.1.
std::uint64_t xxh64(std::span<std::byte const> bytes) noexcept;

template <class T>
concept hashed_as_text = std::convertible_to<T const&, std::string_view>;
template <class T>
concept hashed_as_bytes =
    !hashed_as_text<T> && std::ranges::contiguous_range<T const> && std::ranges::sized_range<T const> &&
    (std::same_as<std::ranges::range_value_t<T const>, std::byte> || std::same_as<std::ranges::range_value_t<T const>, unsigned char>);
template <class T>
concept hashed_as_number = (std::integral<T> || std::is_enum_v<T>) && sizeof(T) <= 8;

// A time or a duration is its number of ticks.
template <class T> struct ticks_of {};
template <std::integral Rep, class Period> struct ticks_of<std::chrono::duration<Rep, Period>> {
  static constexpr Rep count(std::chrono::duration<Rep, Period> d) noexcept { return d.count(); }
};
template <class Clock, class Duration>
  requires requires(Duration d) { ticks_of<Duration>::count(d); }
struct ticks_of<std::chrono::time_point<Clock, Duration>> {
  static constexpr auto count(std::chrono::time_point<Clock, Duration> t) noexcept { return t.time_since_epoch().count(); }
};
template <class T>
concept hashed_as_ticks = requires(T const& x) { ticks_of<T>::count(x); };

template <class T> struct hash_parts : std::false_type {};
template <class T> inline constexpr bool stably_hashable = hashed_as_text<T> || hashed_as_bytes<T> || hashed_as_number<T> ||
                                                           hashed_as_ticks<T> || std::same_as<T, float> || std::same_as<T, double> ||
                                                           hash_parts<T>::value;
template <class A, class B> struct hash_parts<std::pair<A, B>>
    : std::bool_constant<stably_hashable<std::remove_cvref_t<A>> && stably_hashable<std::remove_cvref_t<B>>> {};
template <class... T> struct hash_parts<std::tuple<T...>> : std::bool_constant<(stably_hashable<std::remove_cvref_t<T>> && ...)> {};

// Values that are equal have one hash: 0 and -0, and here all NaN too. Integers of all types are one, and so are 0.5F and 0.5.
template <class T>
  requires stably_hashable<T>
std::uint64_t stable_hash(T const& x) noexcept {
  if constexpr (hashed_as_text<T>) {
    return xxh64(std::as_bytes(std::span(std::string_view(x))));
  } else if constexpr (hashed_as_bytes<T>) {
    return xxh64(std::as_bytes(std::span(std::ranges::data(x), std::ranges::size(x))));
  } else if constexpr (std::same_as<T, char>) {
    return splitmix64(static_cast<unsigned char>(x));  // signed here, unsigned there
  } else if constexpr (hashed_as_number<T>) {
    return splitmix64(static_cast<std::uint64_t>(x));
  } else if constexpr (std::floating_point<T>) {
    double const d = x == 0 ? 0 : x;
    return splitmix64(d != d ? 0x7ff8000000000000 : std::bit_cast<std::uint64_t>(d));
  } else if constexpr (hashed_as_ticks<T>) {
    return splitmix64(static_cast<std::uint64_t>(ticks_of<T>::count(x)));
  } else {
    std::uint64_t h = 0;
    std::apply([&h](auto const&... part) { ((h = splitmix64(h ^ stable_hash(part))), ...); }, x);
    return h;
  }
}

}  // namespace weir::detail
