#include <weir/aggregate_codec.hpp>
#include <weir/error.hpp>

#include "support/catch.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

using namespace weir;

namespace {

struct line {
  std::string what;
  int count;
};
struct order {
  std::optional<std::string> customer;
  std::vector<line> lines;
  std::map<int, std::string> notes;
  std::array<std::string, 2> tags;
  bool paid = false;
  std::pair<std::string, int> place;
  double weight = 0;
};
struct derived : line {
  std::string more;
};
struct of_pointers {
  std::string name;
  int* p;
};
struct of_nine {
  std::string a, b, c, d, e, f, g, h, i;
};
class private_parts {
public:
  private_parts() = default;

private:
  std::string hidden_;
};

template <class T> T restored(T const& value) {
  std::vector<std::byte> bytes;
  encode_state(value, bytes);
  return decode_state<T>(bytes);
}

}  // namespace

TEST_CASE("a simple struct is kept in a checkpoint member by member") {
  order o;
  o.customer = "ann";
  o.lines = {{"tea", 2}, {"milk", 1}};
  o.notes = {{1, "ring twice"}};
  o.tags = {"red", "green"};
  o.paid = true;
  o.place = {"door", 7};
  o.weight = 1.5;
  order const again = restored(o);
  CHECK(again.customer == "ann");
  REQUIRE(again.lines.size() == 2);
  CHECK(again.lines[1].what == "milk");
  CHECK(again.lines[0].count == 2);
  CHECK(again.notes == o.notes);
  CHECK(again.tags == o.tags);
  CHECK(again.paid);
  CHECK(again.place == o.place);
  CHECK(again.weight == 1.5);
}

TEST_CASE("a simple struct of other bytes is refused") {
  CHECK_THROWS_AS(decode_state<line>(std::vector<std::byte>(5)), error);
  CHECK_THROWS_AS(decode_state<line>(std::vector<std::byte>(50)), error);
}

TEST_CASE("which structs are simple is known when compiling") {
  static_assert(encodable<line> && encodable<order> && encodable<std::vector<order>>);
  static_assert(!encodable<derived> && !encodable<of_pointers> && !encodable<of_nine> && !encodable<private_parts>);
}
