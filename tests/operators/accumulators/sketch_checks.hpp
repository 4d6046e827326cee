// What the states of sketches are held to: equal elements make equal bytes, and damaged bytes do no harm.
#pragma once
#include "operators/accumulators/accumulator_checks.hpp"

namespace weir::test {

/// An accumulator whose result is the bytes of its state, so that checks which compare results compare states bit for bit.
template <class A> class giving_bytes : public A {
public:
  explicit giving_bytes(A a) : A(std::move(a)) {}
  template <class State> std::vector<std::byte> result(State const& s) const { return bytes_of(s); }
};

/// Every truncation of the bytes of a state is refused. Other damage is refused too, or gives a state that can be used like any other:
/// `use(state)` does so, on states made of `seeds` random changes.
template <class State, class Use> void check_damage(State const& s, std::uint64_t seeds, Use use) {
  auto const bytes = bytes_of(s);
  for (std::size_t n = 0; n != bytes.size(); ++n) {
    INFO("cut after " << n);
    fails_with(errc::corrupt, [&] { (void)decode_state<State>(std::span(bytes).first(n)); });
  }
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    auto damaged = bytes;
    for (std::uint64_t changes = 1 + random() % 4; changes != 0; --changes)
      // Mostly at the front, where the settings and lengths are.
      damaged[random() % (random() % 2 == 0 ? std::min<std::size_t>(damaged.size(), 32) : damaged.size())] =
          static_cast<std::byte>(random());
    if (random() % 8 == 0) std::ranges::generate(damaged, [&] { return static_cast<std::byte>(random()); });
    try {
      State restored = decode_state<State>(damaged);
      use(restored);
    } catch (error const& e) {
      CHECK((e.code() == errc::corrupt || e.code() == errc::incompatible));
    }
  }
}

}  // namespace weir::test
