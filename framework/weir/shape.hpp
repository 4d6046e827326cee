#pragma once
#include <weir/instant.hpp>

#include <type_traits>
#include <utility>

namespace weir {

/// What flows at a point of a chain of stages: its element type, and what operators downstream may rely on.
template <class T> struct plain {
  using element = T;
  static constexpr bool has_time = false, has_key = false, has_window = false;
};
/// The same with an event time beside each element.
template <class T> struct timed {
  using element = T;
  static constexpr bool has_time = true, has_key = false, has_window = false;
};
/// The shape of `U` that keeps the time of `Shape` (a new element type drops the key).
template <class Shape, class U> using same_time = std::conditional_t<Shape::has_time, timed<U>, plain<U>>;

/// Elements with a key; what `key_by` makes.
template <class Base, class Key> struct keyed : Base {
  static constexpr bool has_key = true;
  keyed(Base b, Key k) : Base(std::move(b)), key(std::move(k)) {}
  Key key;
};

/// Event time beside an element on its way through fused stages: a register on a timed stream, nothing on a plain one.
struct untimed {};
/// The event time of the element it goes with.
struct timestamp {
  instant at;
};

/// The element type of a chain that gives nothing on: `for_each`.
struct nothing {};

}  // namespace weir
