#pragma once
#include <weir/codec.hpp>
#include <weir/operators/accumulator.hpp>

#include <chrono>
#include <cstddef>
#include <string>

// What the schemas of operators are made of, see stage.hpp: "window, 1 min; one result; key string; value u64 at 8".
namespace weir::detail {

// In the largest unit of which it is a whole number: "90 s".
std::string span_text(std::chrono::nanoseconds span);

template <class K> std::string key_section() { return "; key " + schema_of<K>(); }
// Where entries have what is the user's: behind `at` bytes.
std::string value_section_at(std::string const& schema, std::size_t at);

// What an accumulator says it keeps, or the schema of its state.
template <class A, class T> std::string schema_of_accumulator(A const& a) {
  if constexpr (requires { std::string(a.template state_schema<T>()); }) return a.template state_schema<T>();
  else return schema_of<accumulator_state<A, T>>();
}

}  // namespace weir::detail
