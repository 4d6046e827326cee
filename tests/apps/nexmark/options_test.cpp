#include <options.hpp>

#include "apps/command_lines.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace nexmark;

namespace {
weir::test::command_lines<options> const line("nexmark", parse_command_line);
}  // namespace

TEST_CASE("without arguments all queries run seven times on five million events") {
  auto const o = line.good({});
  CHECK(o.events == 5'000'000);
  CHECK(o.repetitions == 7);
  CHECK(o.seed == 42);
  CHECK(o.queries.empty());
  CHECK_FALSE(o.json);
}

TEST_CASE("the flags reach the options") {
  auto const o =
      line.good({"--events", "1000", "--repetitions", "3", "--seed", "7", "--query", "q5", "--query", "q12", "--json", "f.json"});
  CHECK(o.events == 1000);
  CHECK(o.repetitions == 3);
  CHECK(o.seed == 7);
  CHECK(o.queries == std::vector<std::string>{"q5", "q12"});
  CHECK(o.json == "f.json");
}

TEST_CASE("a query that there is not, no events and no repetitions are mistakes, and help is not") {
  line.check_mistakes({{"--query", "q10"}, {"--events", "0"}, {"--repetitions", "0"}, {"--seed", "-1"}, {"q5"}});
  line.check_questions({{"--help"}});
}
