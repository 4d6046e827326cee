// The client against an emulator of DynamoDB that is not ours.
#include <weir/dynamodb/client.hpp>
#include <weir/testing/run.hpp>

#include "support.hpp"
#include "support/catch.hpp"
#include "support/dynalite.hpp"
#include "support/fails_with.hpp"

#include <string>
#include <vector>

using namespace weir;
using dynamodb::attribute_value;
using dynamodb::batch_write;
using dynamodb::client;
using dynamodb::item;
using test::fails_with;

TEST_CASE("dynalite understands each operation that it has", "[dynamodb][client][peer]") {
  auto const server = test::dynalite();
  if (!server) return;
  client const c(test::dynamodb_at(server->url()));
  CHECK(testing::run(c.describe_table("things")) == std::nullopt);
  fails_with(errc::not_found, [&] { testing::run(c.get("things", {{"k", attribute_value::string("a")}})); }, "table things");
  dynamodb::table_definition const t("things", dynamodb::key_attribute("k"), dynamodb::key_attribute("r", dynamodb::key_type::number));
  CHECK(testing::run(c.create_table(t)));
  CHECK(testing::run(c.wait_until_usable("things")).range.type == dynamodb::key_type::number);
  CHECK_FALSE(testing::run(c.create_table(t)));

  auto const key = [](unsigned r) { return item{{"k", attribute_value::string("a")}, {"r", attribute_value::number(r)}}; };
  item whole = key(1);
  whole["text"] = attribute_value::string("\xc3\xa4\n\"");
  whole["bytes"] = attribute_value::binary({std::byte(0), std::byte(255)});
  whole["flag"] = attribute_value::boolean(true);
  whole["none"] = attribute_value();
  whole["texts"] = attribute_value::string_set({"x", "y"});
  whole["numbers"] = attribute_value::number_set({"1", "2.5"});
  whole["blobs"] = attribute_value::binary_set({{std::byte(1)}});
  whole["list"] = attribute_value::list({attribute_value::number(1), attribute_value::map({{"m", attribute_value::string("z")}})});
  dynamodb::put_request put("things", whole);
  put.condition = "attribute_not_exists(k)";
  CHECK(testing::run(c.put(put)).done);
  CHECK_FALSE(testing::run(c.put(put)).done);
  CHECK((testing::run(c.get("things", key(1))) == whole));

  dynamodb::update_request update("things", key(1));
  update.update = "SET #n = :n REMOVE flag";
  update.condition = "#t = :t";
  update.with.name("#n", "n").name("#t", "text").value(":n", attribute_value::number(7)).value(":t", whole["text"]);
  CHECK(testing::run(c.update(update)).done);
  auto const updated = testing::run(c.get("things", key(1)));
  REQUIRE(updated);
  CHECK(updated->at("n").as_unsigned() == 7);
  CHECK(dynamodb::find(*updated, "flag") == nullptr);

  std::vector<batch_write> many;
  for (unsigned r = 2; r != 62; ++r) {
    item i = key(r);
    i["data"] = attribute_value::string(std::string(50'000, 'x'));  // so that it takes several pages
    many.push_back(batch_write::put(i));
  }
  testing::run(c.write_all("things", many));
  dynamodb::query_request query(
      "things", "k = :k AND r > :r",
      dynamodb::names_and_values().value(":k", attribute_value::string("a")).value(":r", attribute_value::number(1)));
  unsigned next = 2, pages = 0;
  do {
    auto const page = testing::run(c.query(query));
    for (item const& i : page.items) CHECK(i.at("r").as_unsigned() == next++);
    query.from = page.next;
    ++pages;
  } while (!query.from.empty());
  CHECK(next == 62);
  CHECK(pages > 1);
  dynamodb::scan_request scan("things");
  scan.filter = "attribute_exists(bytes)";
  std::size_t found = 0;
  do {
    auto const page = testing::run(c.scan(scan));
    found += page.items.size();
    scan.from = page.next;
  } while (!scan.from.empty());
  CHECK(found == 1);

  dynamodb::delete_request erase("things", key(1));
  erase.condition = "attribute_exists(nothing)";
  CHECK_FALSE(testing::run(c.erase(erase)).done);
  erase.condition = "";
  CHECK(testing::run(c.erase(erase)).done);
  CHECK(testing::run(c.get("things", key(1))) == std::nullopt);
  fails_with(
      errc::too_large,
      [&] {
        item i = key(99);
        i["data"] = attribute_value::string(std::string(500'000, 'x'));
        testing::run(c.put(dynamodb::put_request("things", i)));
      },
      "PutItem failed", "table things");
  CHECK(testing::run(c.delete_table("things")));
}
