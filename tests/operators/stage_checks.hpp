// What every stage has to do alike. `make` builds the stream under test on a source.
#pragma once
#include "operators/support.hpp"

namespace weir::test {

/// Fails as its source does, after what came before.
template <class U, class Make> void check_upstream_failure(std::vector<int> const& input, std::vector<U> const& before, Make make) {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    stream<U> out = make(feed<int>(input).chunks(n).fails("connection lost").open());
    auto const got = testing::run(drain(std::move(out)));
    CHECK(got.values == before);
    CHECK(got.failure == "connection lost");
  }
}

/// `make` builds a stage whose function throws "no three" for 3. The input is 1, 2, 3, 4; a checkpoint before 3 may be done, none behind
/// it.
template <class U, class Make> void check_user_failure(std::vector<U> const& before, Make make) {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    feed<int> in({1, 2, 3, 4});
    in.chunks(n).barrier_at(2).barrier_at(3);
    stream<U> out = make(in.open());
    auto const got = testing::run(drain(std::move(out)));
    CHECK(got.values == before);
    CHECK(got.failure == "no three");
    CHECK_FALSE(in.barrier(1).completed());
  }
}
inline int no_three(int x) {
  if (x == 3) throw std::runtime_error("no three");
  return x;
}

/// An element that comes out is taken; the rest is dropped half-way, and nothing is left. Input: 1 to 20.
template <class Make> task<> take_some(std::size_t chunk, Make make) {
  std::vector<tracked> in;
  for (int i = 1; i <= 20; ++i) in.emplace_back(i);
  auto out = make(feed<tracked>(std::move(in)).chunks(chunk).open());
  for (int i = 0; i < 3; ++i) {
    auto const* const x = co_await out.next();  // not inside the macro, which would await it twice
    CHECK(x);
  }
}
template <class Make> void check_early_drop(Make make) {
  REQUIRE(tracked::alive == 0);
  for (std::size_t const n : chunkings) {
    testing::run(take_some(n, make));
    CHECK(tracked::alive == 0);
  }
  { auto never_pulled = make(feed<tracked>(std::vector<tracked>(3, tracked(1))).open()); }
  CHECK(tracked::alive == 0);
}

/// Of a source with chunks of `chunk`, no more is asked for than what the consumer's n-th element needs: `needs(n)` elements.
template <class Make, class Needs> task<> pull_slowly(std::size_t chunk, Make make, Needs needs) {
  feed<int> in(numbers(0, 100));
  auto out = make(in.chunks(chunk).open());
  CHECK(in.handed_out() == 0);
  for (std::size_t n = 1; n <= 5; ++n) {
    auto const* const x = co_await out.next();
    CHECK(x);
    std::size_t const size = std::max<std::size_t>(chunk, 1);
    CAPTURE(chunk, n);
    CHECK(in.handed_out() == (needs(n) + size - 1) / size * size);
  }
}
template <class Make, class Needs> void check_does_not_run_ahead(Make make, Needs needs) {
  for (std::size_t const n : {0u, 1u, 4u}) testing::run(pull_slowly(n, make, needs));
}

/// Cancelled in the middle of a chunk: what the chunk gives still comes, then `errc::cancelled`, and the source is not asked again (one
/// that yields element by element notices with the next).
template <class Make> task<> cancel_in_the_middle(std::size_t chunk, Make make) {
  context& own = co_await current_context();
  context branch(own);
  feed<int> in(numbers(0, 100));
  in.chunks(chunk);
  auto cancels = [&branch](int x) {
    if (x == 14) branch.cancel();
    return true;
  };
  auto out = make(in.open(), cancels);
  auto const got = co_await drain(stream<typename decltype(out)::value_type>(std::move(out))).under(branch);
  CHECK(got.code == condition::cancelled);
  std::size_t const size = std::max<std::size_t>(chunk, 1), expected = (14 / size + 1) * size;
  CHECK(in.handed_out() >= expected);
  CHECK(in.handed_out() <= expected + (chunk == 0 ? 1 : 0));
}
template <class Make> void check_cancellation(Make make) {
  for (std::size_t const n : {0u, 1u, 10u}) testing::run(cancel_in_the_middle(n, make));
}

}  // namespace weir::test
