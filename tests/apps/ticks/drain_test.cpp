// SIGTERM at any moment: the program ends within two seconds, with 0, and a restart goes on where it was. Six moments, or as many as
// WEIR_DRAIN_ROUNDS says.
#include "apps/ticks/oracle.hpp"
#include "apps/ticks/program.hpp"
#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace ticks::test;

TEST_CASE("ended by SIGTERM at any moment, ticks drains in two seconds, and a restart goes on") {
  if (!binary() && weir::test::skip("WEIR_TICKS_BINARY names no program")) return;
  std::vector<std::string> const words{"--count", "2000000", "--batch", "20000", "--show", "0", "--bars", "bars"};
  weir::test::temporary_folder const undisturbed;
  REQUIRE(run_program(words, undisturbed.path()).exit_code == 0);
  auto const expected = bars_in(undisturbed.file("bars"));
  REQUIRE(!expected.empty());
  char const* const many = std::getenv("WEIR_DRAIN_ROUNDS");
  std::mt19937 random(many != nullptr ? std::random_device()() : 7);
  for (int round = 0, rounds = many != nullptr ? std::stoi(many) : 6; round != rounds; ++round) {
    weir::test::temporary_folder const folder;
    int stopped = 0;
    for (;;) {
      disturbance how;
      how.signal = SIGTERM;
      how.after = std::chrono::microseconds(30'000 + random() % 600'000);
      auto const before = std::chrono::steady_clock::now();
      auto const end = run_program(words, folder.path(), how);
      auto const took = std::chrono::steady_clock::now() - before;
      INFO("round " << round << ", SIGTERM after " << how.after->count() << " us: " << end.out << end.err);
      if (end.signal == SIGTERM) continue;  // before it was ready to hear of it
      REQUIRE(end.exit_code == 0);
      CHECK(took - *how.after < 2s);
      if (end.out.find("stopped in order") == std::string::npos) break;
      ++stopped;
    }
    INFO("stopped " << stopped << " times");
    CHECK(bars_in(folder.file("bars")) == expected);
  }
}
