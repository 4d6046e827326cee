#include <weir/webhook/batch.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using test::fails_with;
using webhook::batcher;
using webhook::body_form;

namespace {
std::vector<std::string> bodies(batcher b, std::vector<std::string> const& rows) {
  for (auto const& r : rows) b.add(r);
  std::vector<std::string> out;
  for (auto const& made : b.take()) out.push_back(made.body);
  return out;
}
using texts = std::vector<std::string>;
}  // namespace

TEST_CASE("rows are put together in order", "[webhook][batch]") {
  CHECK(bodies(batcher(body_form::array, 10, 100), {"1", "{\"a\":2}", "3"}) == texts{"[1,{\"a\":2},3]"});
  CHECK(bodies(batcher(body_form::lines, 10, 100), {"1", "{\"a\":2}", "3"}) == texts{"1\n{\"a\":2}\n3\n"});
  CHECK(bodies(batcher(body_form::array, 10, 100), {}).empty());
}

TEST_CASE("a batch has no more rows than allowed", "[webhook][batch]") {
  CHECK(bodies(batcher(body_form::array, 2, 100), {"1", "2", "3", "4", "5"}) == texts{"[1,2]", "[3,4]", "[5]"});
  CHECK(bodies(batcher(body_form::lines, 1, 100), {"1", "2"}) == texts{"1\n", "2\n"});
}

TEST_CASE("a batch has no more bytes than allowed, and as many as fit", "[webhook][batch]") {
  for (body_form const form : {body_form::array, body_form::lines}) {
    for (std::size_t most = 5; most != 40; ++most) {
      std::string all;
      std::size_t before = 0;
      for (auto const& body : bodies(batcher(form, 100, most), {"1", "22", "333", "1", "1", "22", "333", "333", "1"})) {
        CHECK(body.size() <= most);
        // The first row of this one did not fit into the one before.
        auto const row = body.find_first_of(form == body_form::array ? ",]" : "\n", 1) - (form == body_form::array ? 1 : 0);
        if (before != 0) CHECK(before + row + 1 > most);
        before = body.size();
        for (char const c : body)
          if (c >= '0' && c <= '9') all += c;
      }
      CHECK(all ==
            "1223331122333"
            "3331");
    }
  }
  CHECK(bodies(batcher(body_form::array, 100, 5), {"1", "2", "3"}) == texts{"[1,2]", "[3]"});
  CHECK(bodies(batcher(body_form::lines, 100, 4), {"1", "2", "3"}) == texts{"1\n2\n", "3\n"});
}

TEST_CASE("a row that no request can carry is refused", "[webhook][batch]") {
  batcher array(body_form::array, 10, 5), lines(body_form::lines, 10, 5);
  array.add("333");
  lines.add("4444");
  fails_with(errc::too_large, [&] { array.add("4444"); }, "4 bytes", "most_bytes");
  fails_with(errc::too_large, [&] { lines.add("55555"); });
  fails_with(errc::too_large, [&] { batcher(body_form::array, 10, 1).add("1"); });
  fails_with(errc::malformed, [&] { array.add(""); });
  fails_with(errc::malformed, [&] { lines.add("1\n2"); }, "line");
  array.add("[\n]");
  fails_with(errc::too_large, [] { (void)webhook::batch_of_one("333", "a", 2); });
  fails_with(errc::malformed, [] { (void)webhook::batch_of_one("333", "", 10); }, "identity");
  CHECK(webhook::batch_of_one("333", "a", 3).body == "333");
}
