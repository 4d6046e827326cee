#include <weir/lambda/detail/pace.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <vector>

using namespace weir;
using lambda::detail::pace;

TEST_CASE("a quick handler gets twice as many records each time, up to a whole chunk", "[lambda][pace]") {
  pace p;
  std::vector<std::size_t> sizes;
  for (int i = 0; i != 10; ++i) sizes.push_back(p.next(7));
  CHECK(sizes == std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 256});
}

TEST_CASE("a slow handler gets one record at a time, so that it can be stopped behind each", "[lambda][pace]") {
  pace p;
  instant now = 0;
  for (int i = 0; i != 10; ++i) {
    CHECK(p.next(now) == 1);
    now += 1'000'000'000;
  }
}

TEST_CASE("a handler gets what it gets through in 10 ms", "[lambda][pace]") {
  pace p;
  instant now = 0;
  std::size_t size = 0;
  for (int i = 0; i != 20; ++i) {
    size = p.next(now);
    now += static_cast<instant>(size) * 100'000;  // 0.1 ms for each
  }
  CHECK(size == 100);
  now += 10'000'000'000;  // something took 10 s
  CHECK(p.next(now) == 1);
  CHECK(p.next(now + 100'000) == 2);
}
