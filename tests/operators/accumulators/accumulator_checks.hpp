// What every accumulator is held to, beside its own values.
#pragma once
#include <weir/codec.hpp>
#include <weir/error.hpp>
#include <weir/operators/accumulator.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// An element and its event time.
template <class T> struct stamped {
  instant at;
  T value;
};
/// Elements with event times 0, 1, 2...
template <class T> std::vector<stamped<T>> in_turn(std::vector<T> xs) {
  std::vector<stamped<T>> out;
  for (auto&& x : xs) out.push_back({static_cast<instant>(out.size()), T(std::move(x))});
  return out;
}

template <class A, class T> accumulator_state<A, T> state_of(A const& a, std::vector<stamped<T>> const& xs) {
  static_assert(accumulator<A, T>);
  accumulator_state<A, T> s{};
  for (auto const& [at, x] : xs) a.add(s, x, at);
  return s;
}
template <class A, class T> auto result_of(A const& a, std::vector<stamped<T>> const& xs) { return a.result(state_of(a, xs)); }
template <class A, class T> auto result_of(A const& a, std::vector<T> xs) { return result_of(a, in_turn(std::move(xs))); }

template <class S> std::vector<std::byte> bytes_of(S const& s) {
  std::vector<std::byte> bytes;
  encode_state(s, bytes);
  return bytes;
}

/// Equal but for rounding: `scale` times the larger one at most apart.
inline bool close_to(double a, double b, double scale = 1e-14) {
  return a == b || std::abs(a - b) <= scale * std::max(std::abs(a), std::abs(b));
}

/// How parts are put together again.
enum class merging {
  in_any_order,  ///< any split, any pairs, either one first
  in_order,      ///< contiguous parts, neighbours, the earlier one first
};

/// For random splits of `xs` into states (some of them empty) and random ways to merge them, some after a restart, the result is that of
/// adding all to one.
template <class A, class T, class Equal = std::equal_to<>>
void check_merging(A const& a, std::vector<stamped<T>> const& xs, merging how, Equal equal = {}) {
  using state = accumulator_state<A, T>;
  auto const expected = result_of(a, xs);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::vector<state> parts(1 + below(8));
    for (std::size_t i = 0, part = 0; i != xs.size(); ++i) {
      if (how == merging::in_any_order) part = below(parts.size());
      else if (below(xs.size()) < parts.size()) part = std::min(part + 1 + below(2), parts.size() - 1);
      a.add(parts[part], xs[i].value, xs[i].at);
    }
    while (parts.size() > 1) {
      std::size_t to = below(parts.size() - 1), from = to + 1;
      if (how == merging::in_any_order) {
        from = below(parts.size());
        while (from == to) to = below(parts.size());
      }
      if (below(3) == 0) parts[to] = decode_state<state>(bytes_of(parts[to]));
      a.merge(parts[to], parts[from]);
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(from));
    }
    INFO("seed " << seed);
    CHECK(equal(a.result(parts[0]), expected));
    if (!equal(a.result(parts[0]), expected)) return;
  }
}

/// A state comes back from its bytes; equal elements make equal bytes, whatever was in memory before; damaged bytes are refused.
template <class A, class T> void check_checkpoint(A const& a, std::vector<stamped<T>> const& xs) {
  using state = accumulator_state<A, T>;
  static_assert(encodable<state>);
  auto const in_memory_full_of = [&](unsigned char filling, std::size_t count) {
    std::vector<unsigned char> memory(sizeof(state) + alignof(state));
    for (std::size_t i = 0; i != memory.size(); ++i) static_cast<unsigned char volatile&>(memory[i]) = filling;
    void* place = memory.data();
    std::size_t room = memory.size();
    auto* const s = new (std::align(alignof(state), sizeof(state), place, room)) state{};
    for (std::size_t i = 0; i != count; ++i) a.add(*s, xs[i].value, xs[i].at);
    auto bytes = bytes_of(*s);
    std::destroy_at(s);
    return bytes;
  };
  for (std::size_t const count : {std::size_t(0), xs.size() / 2, xs.size()}) {
    CAPTURE(count);
    auto const bytes = in_memory_full_of(0x00, count);
    CHECK(bytes == in_memory_full_of(0xff, count));
    state restored = decode_state<state>(bytes);
    CHECK(bytes_of(restored) == bytes);
    for (std::size_t i = count; i != xs.size(); ++i) a.add(restored, xs[i].value, xs[i].at);
    CHECK(a.result(restored) == result_of(a, xs));
    for (std::size_t n = 0; n < bytes.size(); n += 1 + bytes.size() / 50)
      fails_with(errc::corrupt, [&] { (void)decode_state<state>(std::span(bytes).first(n)); });
  }
}

}  // namespace weir::test
