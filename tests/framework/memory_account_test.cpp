// What operators hold, added up; and what values have elsewhere.
#include <weir/detail/memory_account.hpp>
#include <weir/detail/owned_bytes.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

using namespace weir;
using weir::detail::memory_account;
using weir::detail::owned_bytes;
using holding = weir::detail::memory_account::holding;

namespace {

std::map<std::string, std::size_t> parts(memory_account const& a) {
  std::map<std::string, std::size_t> all;
  a.each([&all](std::string_view name, std::size_t bytes) { all[std::string(name)] += bytes; });
  return all;
}

struct person {
  std::string name;
  std::vector<int> years;
  int age = 0;
};
struct box {
  std::size_t memory() const noexcept { return 77; }
  std::string inside;
};
class closed {
public:
  explicit closed(std::string s) : inside_(std::move(s)) {}

private:
  std::string inside_;
};

}  // namespace

TEST_CASE("an account adds up what its entries say, as long as they live", "[framework][memory]") {
  memory_account a;
  memory_account::entry state;
  state.enter(&a, "window", holding::state);
  state.set(100);
  {
    memory_account::entry passing, another;
    passing.enter(&a, "prefetch", holding::passing);
    another.enter(&a, "window", holding::state);
    passing.set(30);
    another.set(5);
    passing.set(20);
    CHECK(a.held() == 125);
    CHECK(a.held(holding::state) == 105);
    CHECK(a.held(holding::passing) == 20);
    CHECK(parts(a) == std::map<std::string, std::size_t>{{"prefetch", 20}, {"window", 105}});
  }
  CHECK(parts(a) == std::map<std::string, std::size_t>{{"window", 100}});
  CHECK(a.held() == 100);
  CHECK_FALSE(a.full());
  a.limit(100);
  CHECK_FALSE(a.full());
  a.limit(99);
  CHECK(a.full());
}

TEST_CASE("an entry may outlive its account, enter another one, or none", "[framework][memory]") {
  memory_account::entry e;
  e.set(10);
  CHECK_FALSE(e.entered());
  {
    memory_account gone;
    e.enter(&gone, "a", holding::state);
    e.set(10);
    CHECK(gone.held() == 10);
  }
  CHECK_FALSE(e.entered());
  memory_account first, second;
  e.enter(&first, "b", holding::state);
  e.set(1);
  e.enter(&second, "c", holding::passing);
  CHECK(first.held() == 0);
  e.set(2);
  CHECK(second.held(holding::passing) == 2);
  e.enter(nullptr, "", holding::state);
  CHECK(second.held() == 0);
}

TEST_CASE("values have elsewhere what does not lie in themselves", "[framework][memory]") {
  CHECK(owned_bytes(7) == 0);
  CHECK(owned_bytes(std::string(15, 'x')) == 0);
  std::string const text(100, 'x');
  CHECK(owned_bytes(text) == 101);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(50);
  CHECK(owned_bytes(numbers) == 400);
  std::vector<std::string> const texts(3, text);
  CHECK(owned_bytes(texts) == 3 * (sizeof(std::string) + 101));
  CHECK(owned_bytes(std::optional<std::string>()) == 0);
  CHECK(owned_bytes(std::optional<std::string>(text)) == 101);
  CHECK(owned_bytes(std::pair(text, 1)) == 101);
  CHECK(owned_bytes(std::tuple(1, text, text)) == 202);
  CHECK(owned_bytes(std::array{text, text}) == 202);
  CHECK(owned_bytes(person{text, {1, 2}, 3}) == 101 + 2 * sizeof(int));
  CHECK(owned_bytes(box()) == 77);
  CHECK(owned_bytes(closed(text)) == 0);
}

TEST_CASE("of many values, the mean of those looked at last counts", "[framework][memory]") {
  detail::sampled_bytes<std::string> sizes;
  CHECK(sizes.of(1'000) == 0);
  sizes.look_at(std::string(99, 'x'));
  sizes.look_at(std::string(299, 'x'));
  CHECK(sizes.of(10) == 2'000);
  for (int i = 0; i != 1'000; ++i) sizes.look_at(std::string(999, 'x'));
  CHECK(sizes.of(10) > 9'990);
  detail::sampled_bytes<std::map<int, int>> maps;  // as in a checkpoint: a size, and what is in it
  maps.look_at({{1, 1}, {2, 2}});
  CHECK(maps.of(1) == sizeof(std::uint64_t) + 4 * sizeof(int));
}
