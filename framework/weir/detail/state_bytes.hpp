#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

// What codecs are made of. Sizes are 8 bytes, little-endian.
namespace weir::detail {

void put_size(std::vector<std::byte>& to, std::size_t n);
void put_bytes(std::vector<std::byte>& to, void const* from, std::size_t n);

// These throw errc::corrupt when there are not enough bytes, or, for the number of parts that follow, cannot be.
std::span<std::byte const> take_bytes(std::span<std::byte const>& from, std::size_t n);
std::size_t take_size(std::span<std::byte const>& from, std::size_t bytes_per_part);
bool take_flag(std::span<std::byte const>& from);
[[noreturn]] void throw_state_left_over();

// Trivially copyable, and yet worthless in another process.
template <class T> inline constexpr bool leads_elsewhere = std::is_pointer_v<T> || std::is_member_pointer_v<T>;
template <class C, class Traits> inline constexpr bool leads_elsewhere<std::basic_string_view<C, Traits>> = true;
template <class T, std::size_t N> inline constexpr bool leads_elsewhere<std::span<T, N>> = true;
template <class T> inline constexpr bool leads_elsewhere<std::reference_wrapper<T>> = true;
template <class T> inline constexpr bool leads_elsewhere<std::optional<T>> = leads_elsewhere<T>;
template <class T, std::size_t N> inline constexpr bool leads_elsewhere<std::array<T, N>> = leads_elsewhere<T>;

template <class T>
concept raw_state = std::is_trivially_copyable_v<T> && !std::is_array_v<T> && !leads_elsewhere<T>;

}  // namespace weir::detail
