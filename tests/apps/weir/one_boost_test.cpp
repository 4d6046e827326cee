// Boost's bodies are in a program once. Where some of its files had those of Boost.Beast in themselves and others apart, each had an object
// of its own for an error category; errors were then not equal to themselves, and a request that came in two pieces ended its connection.
#include "support/catch.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

#include <cstddef>
#include <map>
#include <sstream>
#include <string>

using namespace weir;

TEST_CASE("each of Boost's error categories is in the program once") {
  auto const program = test::program_of("WEIR_BINARY");
  if (!program) return void(test::skip("WEIR_BINARY names no program"));
  test::ending const listed = test::run_program("/usr/bin/nm", {"-C", *program}, "/");
  if (listed.exit_code != 0) return void(test::skip("no nm (Debian's package binutils)"));
  std::map<std::string, int> times;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::size_t name = 19;  // behind an address and a kind
    if (line.size() > name && line.compare(name, 7, "boost::") == 0 && line.ends_with(")::cat")) ++times[line.substr(name)];
  }
  CHECK(times.size() > 5);
  for (auto const& [category, count] : times) {
    INFO(category);
    CHECK(count == 1);
  }
}
