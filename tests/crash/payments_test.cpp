// payments, killed with SIGKILL again and again, against totals by the definition.
#include "crash/kill_rounds.hpp"
#include "crash/made_payments.hpp"
#include "crash/place.hpp"

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir::test;

namespace {

void kill_payments(std::string const& what, std::function<std::unique_ptr<place>()> const& fresh) {
  auto const program = program_of("WEIR_PAYMENTS_BINARY");
  if (!program && skip("WEIR_PAYMENTS_BINARY names no program")) return;
  made_payments const input(20'000);
  temporary_folder const folder;
  auto const file = folder.write("payments.ndjson", input.lines()), nothing = folder.write("nothing.ndjson", "");
  auto const arguments = [](std::string const& from, place const& in) {
    return std::vector<std::string>{"--input", from,     "--totals",   in.name(), "--batch",   "250",
                                    "--late",  "update", "--lateness", "10m",     "--horizon", "1h"};
  };
  // A run over nothing makes the table.
  auto const noting = [&] {
    auto made = fresh();
    REQUIRE(run_program(*program, arguments(nothing, *made), made->folder()).exit_code == 0);
    made->note_writes("payment_totals", "key, window_start, payments, hundredths");
    return made;
  };
  // The numbers of deliveries, of duplicates and of late ones are part of the checkpoint. Each result is written once; those of windows
  // which were open when the data ended are written again by a run that finds nothing left to do.
  std::string report;
  std::vector<std::string> said;
  std::string const select_said =
      "SELECT key, window_start, payments, hundredths FROM said WHERE window_start < " + std::to_string(input.first_open_window());
  auto const check_more = [&](place const& in) {
    std::ifstream out(in.folder() + "/.stdout", std::ios::binary);
    std::string const text(std::istreambuf_iterator<char>(out), {});
    CHECK(text.find("20000 deliveries: ") != std::string::npos);
    auto const written = in.rows(select_said);
    if (report.empty()) {
      report = text;
      said = written;
      CHECK(said.size() > input.totals().size());  // windows that were corrected are written again, too
    }
    CHECK(text == report);
    CHECK(written.size() == said.size());
    CHECK((written == said));
  };
  victim const v{*program, noting, [&](place const& in) { return arguments(file, in); },
                 "SELECT key, window_start, payments, hundredths FROM payment_totals", check_more};
  auto const outcome = kill_and_compare(what, v);
  CHECK(outcome.calm == input.totals());
  if (outcome.rounds >= 20) CHECK(outcome.half_way > 0);
}

}  // namespace

TEST_CASE("payments is killed at random moments, with totals in SQLite: each payment is counted once", "[crash]") {
  kill_payments("payments, SQLite", sqlite_place);
}

TEST_CASE("payments is killed at random moments, with totals in PostgreSQL: each payment is counted once", "[crash]") {
  if (auto* const server = postgres_server::running()) kill_payments("payments, PostgreSQL", [server] { return postgres_place(*server); });
}
