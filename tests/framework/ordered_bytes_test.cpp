#include <weir/detail/ordered_bytes.hpp>

#include "support/catch.hpp"

#include <tuple>
#include <vector>

using namespace weir::detail;

namespace {

// Every text of up to three of these bytes, which are where an encoding would go wrong.
std::vector<std::string> texts() {
  std::vector<std::string> all{""};
  for (std::size_t from = 0, length = 0; length != 3; ++length) {
    std::size_t const end = all.size();
    for (; from != end; ++from)
      for (char const c : {'\0', '\1', 'a', '\xfe', '\xff'}) all.push_back(all[from] + c);
  }
  return all;
}

}  // namespace

TEST_CASE("texts of any bytes, put behind each other, keep the order of their tuples", "[detail]") {
  auto const all = texts();
  REQUIRE(all.size() == 156);
  std::vector<std::string> put(all.size());
  for (std::size_t i = 0; i != all.size(); ++i) put_ordered(put[i], all[i]);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i != all.size(); ++i) {
    for (std::size_t j = 0; j != all.size(); ++j) {
      wrong += (all[i] < all[j]) != (put[i] < put[j]);
      // The first one decides whatever is behind it: the end of another, or a text as it is.
      if (i != j) wrong += (all[i] < all[j]) != (put[i] + all[j] < put[j] + all[i]);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("what was put is taken again, and what was not is refused", "[detail]") {
  std::string both;
  for (auto const& t : texts()) {
    both.clear();
    put_ordered(both, t);
    put_ordered(both, "next");
    both += "rest";
    std::string_view from = both;
    auto const first = take_ordered(from), second = take_ordered(from);
    CHECK(first == t);
    CHECK(second == "next");
    CHECK(from == "rest");
  }
  for (std::string const& none :
       {std::string(), std::string("a"), std::string("a\0", 2), std::string("a\0b", 3), std::string("\0\xff", 2)}) {
    std::string_view from = none;
    auto const taken = take_ordered(from);
    CHECK(taken == std::nullopt);
  }
}

TEST_CASE("behind a prefix comes the first text that does not begin with it", "[detail]") {
  CHECK(behind_prefix("a") == "b");
  CHECK(behind_prefix("a\xff\xff") == "b");
  CHECK(behind_prefix(std::string("\0", 1)) == "\1");
  CHECK(behind_prefix("\xff").empty());
  CHECK(behind_prefix("").empty());
  auto const all = texts();
  std::size_t wrong = 0;
  for (auto const& prefix : all) {
    std::string const end = behind_prefix(prefix);
    for (auto const& t : all) wrong += t.starts_with(prefix) != (t >= prefix && (end.empty() || t < end));
  }
  CHECK(wrong == 0);
}
