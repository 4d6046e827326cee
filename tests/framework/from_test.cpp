#include <weir/from.hpp>

#include <weir/fused_stream.hpp>

#include "operators/support.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

task<std::vector<std::size_t>> chunk_sizes(stream<int> s) {
  std::vector<std::size_t> out;
  while (chunk<int> c = co_await next_chunk(s)) out.push_back(c.elements.size());
  co_return out;
}

}  // namespace

TEST_CASE("from gives the elements of a vector in order") {
  CHECK(all_of(from(std::vector{3, 1, 2})) == std::vector{3, 1, 2});
  CHECK(all_of(from(std::vector<int>())).empty());
  std::vector<std::string> const kept{"a", "b"};
  CHECK(all_of(from(kept)) == kept);
  CHECK(kept == std::vector<std::string>{"a", "b"});
}

TEST_CASE("from over a span gives its elements away") {
  std::vector<std::string> memory{"long enough to live on the heap", "b"};
  CHECK(all_of(from(std::span(memory))) == std::vector<std::string>{"long enough to live on the heap", "b"});
  CHECK(memory[0].empty());
}

TEST_CASE("from hands over a chunk at a time, and each only when it is asked") {
  CHECK(testing::run(chunk_sizes(from(numbers(0, 10), 4))) == std::vector<std::size_t>{4, 4, 2});
  CHECK(testing::run(chunk_sizes(from(numbers(0, 600)))) == std::vector<std::size_t>{256, 256, 88});
  fails_with(errc::invalid_option, [] { (void)from(std::vector{1}, 0); }, "from", "at least 1");
}

TEST_CASE("from stays ended when it is asked again") {
  auto const work = []() -> task<> {
    stream<int> s = from(std::vector{1});
    for (bool const expected : {true, false, false}) {
      int const* const x = co_await s.next();
      CHECK((x != nullptr) == expected);
    }
  };
  testing::run(work());
}

TEST_CASE("from dropped half-way destroys what it owns") {
  REQUIRE(tracked::alive == 0);
  auto const work = []() -> task<> {
    stream<tracked> s = from(std::vector<tracked>(5, tracked(1)), 2);
    tracked const* const x = co_await s.next();
    CHECK(x);
  };
  testing::run(work());
  CHECK(tracked::alive == 0);
}

TEST_CASE("from that is cancelled ends at the next chunk") {
  auto const work = []() -> task<> {
    context& own = co_await current_context();
    context branch(own);
    auto pulls = [](context& c) -> task<int> {
      stream<int> s = from(numbers(0, 10), 4);
      int n = 0;
      try {
        while (co_await s.next())
          if (++n == 2) c.cancel();
      } catch (error const& e) {
        CHECK(e.code() == condition::cancelled);
      }
      co_return n;
    };
    int const n = co_await pulls(branch).under(branch);
    CHECK(n == 4);
  };
  testing::run(work());
}
