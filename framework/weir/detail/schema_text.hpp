#pragma once
#include <weir/detail/struct_members.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

// What schemas are made of.
namespace weir::detail {

// "pair<u64, string>"; "{u64, string}".
std::string schema_of_parts(std::string_view of, std::initializer_list<std::string> parts);
std::string schema_of_struct(std::initializer_list<std::string> members);
// "24 bytes of {u64, f64, u8}": as it lies in memory.
std::string schema_of_memory(std::size_t bytes, std::string_view what);
// The name of a type, the same of all compilers.
std::string name_of(std::type_info const& type);
// 'i', 8: "i64".
std::string schema_of_number(char kind, std::size_t bytes);
// "duration<i64, 1/1000>".
std::string schema_of_ticks(std::string_view of, std::string const& number, std::intmax_t num, std::intmax_t den);

template <class T> inline constexpr bool is_duration = false;
template <class Rep, class Period> inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;
template <class T> inline constexpr bool is_time_point = false;
template <class Clock, class D> inline constexpr bool is_time_point<std::chrono::time_point<Clock, D>> = true;
template <class T> inline constexpr bool is_std_array = false;
template <class T, std::size_t N> inline constexpr bool is_std_array<std::array<T, N>> = true;
template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;

template <class T> std::string schema_of_raw();
template <class... M> std::string schema_of_raw_members(std::size_t bytes, std::tuple<M const&...> const*) {
  return schema_of_memory(bytes, schema_of_struct({schema_of_raw<M>()...}));
}

// Of what is kept as it lies in memory.
template <class T> std::string schema_of_raw() {
  if constexpr (std::same_as<T, bool>) return "bool";
  else if constexpr (std::same_as<T, char>) return "char";
  else if constexpr (std::same_as<T, std::byte>) return "byte";
  else if constexpr (std::is_floating_point_v<T>) return schema_of_number('f', sizeof(T));
  else if constexpr (std::is_arithmetic_v<T>) return schema_of_number(std::is_signed_v<T> ? 'i' : 'u', sizeof(T));
  else if constexpr (std::is_enum_v<T>) return "enum " + schema_of_raw<std::underlying_type_t<T>>();
  else if constexpr (is_duration<T>) return schema_of_ticks("duration", schema_of_raw<typename T::rep>(), T::period::num, T::period::den);
  else if constexpr (is_time_point<T>)
    return schema_of_ticks("time_point", schema_of_raw<typename T::rep>(), T::period::num, T::period::den);
  else if constexpr (is_std_array<T>)
    return schema_of_parts("array", {schema_of_raw<typename T::value_type>(), std::to_string(std::tuple_size_v<T>)});
  else if constexpr (is_optional<T>) return schema_of_parts("optional", {schema_of_raw<typename T::value_type>()});
  else if constexpr (std::is_empty_v<T>) return "{}";
  else if constexpr (has_plain_members<T>)
    return schema_of_raw_members(sizeof(T), static_cast<decltype(members_of(std::declval<T const&>()))*>(nullptr));
  else return schema_of_memory(sizeof(T), name_of(typeid(T)));
}

}  // namespace weir::detail
