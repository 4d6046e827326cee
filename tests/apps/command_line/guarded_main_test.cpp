#include <command_line/guarded_main.hpp>

#include "support/catch.hpp"

#include <stdexcept>

using command_line::guarded_main;

TEST_CASE("a program ends with the exit code of its body, or with 1 after a failure") {
  CHECK(guarded_main("x", [] { return 0; }) == 0);
  CHECK(guarded_main("x", [] { return 130; }) == 130);
  CHECK(guarded_main("x", []() -> int { throw std::runtime_error("a test:\nover two lines"); }) == 1);
}
