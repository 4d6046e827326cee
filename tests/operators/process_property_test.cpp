// `process` against a naive simulation: random programs of timers, expiry and late elements.
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>

#include "operators/process_programs.hpp"

#include <cstdint>
#include <optional>
#include <string>

using namespace weir;
using namespace weir::test;

namespace {

template <class Expiry> auto processed(ns bound, Expiry expiry) {
  return [=](stream<event> s) -> stream<std::string> {
    return in_time(std::move(s), bound) | key_by(&event::key) | process(random_program(), expiry);
  };
}

}  // namespace

TEST_CASE("random programs of timers do what a naive simulation does, in the same order") {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    auto const input = random_events(seed, 120);
    instant const bound = seed % 8, kept = 1 + seed % 20;
    auto const forever = simulation(bound, std::nullopt).run(input), expiring = simulation(bound, kept).run(input);
    for (std::size_t const n : {0u, 7u, 256u}) {
      CHECK(all_of(processed(ns(bound), never_expires())(feed(input).chunks(n).open())) == forever);
      CHECK(all_of(processed(ns(bound), expire_after(ns(kept)))(feed(input).chunks(n).open())) == expiring);
    }
  }
}

TEST_CASE("random programs of timers go on after a restart at any position as if there had been none") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    check_restored_equals_uninterrupted(random_events(seed, 40), processed(ns(seed % 8), never_expires()));
    check_restored_equals_uninterrupted(random_events(seed, 40), processed(ns(seed % 8), expire_after(ns(1 + seed % 20))));
  }
}
