#pragma once
#include <weir/codec.hpp>
#include <weir/detail/schema_text.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/join_inputs.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weir::detail {

// Accumulator of a window join: the elements of both sides, in order of arrival.
template <class L, class R> struct both_sides {
  std::vector<L> left;
  std::vector<R> right;
};
template <class L, class R> struct join_sides {
  using state = both_sides<L, R>;
  void add(state& s, either<L, R> const& x, instant) const {
    if (auto const* const l = std::get_if<0>(&x)) s.left.push_back(*l);
    else s.right.push_back(*std::get_if<1>(&x));
  }
  void merge(state& s, state const& other) const {
    s.left.insert(s.left.end(), other.left.begin(), other.left.end());
    s.right.insert(s.right.end(), other.right.begin(), other.right.end());
  }
  state result(state const& s) const { return s; }
};

}  // namespace weir::detail

template <class L, class R> struct weir::codec<weir::detail::both_sides<L, R>> {
  static void encode(detail::both_sides<L, R> const& s, std::vector<std::byte>& to) {
    encode_state(s.left, to);
    encode_state(s.right, to);
  }
  static detail::both_sides<L, R> decode(std::span<std::byte const>& from) {
    detail::both_sides<L, R> s;
    s.left = decode_part<std::vector<L>>(from);
    s.right = decode_part<std::vector<R>>(from);
    return s;
  }
  static std::string schema() { return detail::schema_of_parts("both_sides", {schema_of<L>(), schema_of<R>()}); }
};
