#include <function_options.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <weir/error.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>

using namespace ticks;
using namespace std::chrono_literals;

namespace {

function_options options_of(std::map<std::string, std::string> const& given) {
  return read_options([&](std::string const& name) -> std::optional<std::string> {
    auto const found = given.find(name);
    if (found == given.end()) return std::nullopt;
    return found->second;
  });
}

}  // namespace

TEST_CASE("without variables the function makes one-minute bars in tables of its own") {
  function_options const o = options_of({});
  CHECK(o.bars == "ticks-bars");
  CHECK(o.checkpoints == "ticks-checkpoints");
  CHECK(o.window == 1min);
  CHECK(o.bound == 5s);
  CHECK(o.dedup == 0s);
  CHECK(o.fields.trade_id == "trade_id");
  CHECK(o.fields.unit == command_line::time_unit::milliseconds);
}

TEST_CASE("variables say otherwise") {
  function_options const o = options_of({{"TICKS_BARS_TABLE", "b"},
                                         {"TICKS_CHECKPOINT_TABLE", "c"},
                                         {"TICKS_WINDOW", "1s"},
                                         {"TICKS_BOUND", "0s"},
                                         {"TICKS_DEDUP", "10m"},
                                         {"TICKS_FIELD_SYMBOL", "s"},
                                         {"TICKS_FIELD_PRICE", "p"},
                                         {"TICKS_FIELD_SIZE", "q"},
                                         {"TICKS_FIELD_TRADE_ID", "-"},
                                         {"TICKS_FIELD_TIME", "t"},
                                         {"TICKS_TIME_UNIT", "rfc3339"}});
  CHECK(o.bars == "b");
  CHECK(o.checkpoints == "c");
  CHECK(o.window == 1s);
  CHECK(o.bound == 0s);
  CHECK(o.dedup == 10min);
  CHECK(o.fields.symbol == "s");
  CHECK(o.fields.price == "p");
  CHECK(o.fields.size == "q");
  CHECK(o.fields.trade_id.empty());
  CHECK(o.fields.time == "t");
  CHECK(o.fields.unit == command_line::time_unit::rfc3339);
}

TEST_CASE("a variable that cannot be used is refused by its name") {
  using weir::test::fails_with;
  auto const refused = [](char const* name, char const* text) {
    fails_with(weir::errc::invalid_option, [&] { options_of({{name, text}}); }, name);
  };
  refused("TICKS_WINDOW", "0s");
  refused("TICKS_WINDOW", "1min");
  refused("TICKS_BOUND", "-1s");
  refused("TICKS_DEDUP", "99999999d");
  refused("TICKS_TIME_UNIT", "fortnights");
}
