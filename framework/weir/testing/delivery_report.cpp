#include <weir/testing/delivery_report.hpp>

namespace weir::testing {
namespace {

void list(std::string& out, char const* title, std::vector<std::string> const& lines) {
  if (lines.empty()) return;
  (out += "\n  ") += title;
  for (std::string const& line : lines) (out += "\n    ") += line;
}

}  // namespace

std::string delivery_report::text() const {
  std::string const tried = std::to_string(trials) + " trials of " + std::to_string(steps) + " steps, " + std::to_string(reads) +
                            " reads, " + std::to_string(writes) + " writes, " + std::to_string(commits) + " commits; seed " +
                            std::to_string(seed);
  if (passed()) return "delivery: nothing is lost, and every effect happens as often as it should (" + tried + ")";
  std::string out = "delivery: failed (" + tried + "): " + testing::text(schedule);
  if (!failure.empty()) (out += "\n  ") += failure;
  list(out, "lost:", lost);
  list(out, "more than once:", doubled);
  list(out, "unexpected:", unexpected);
  list(out, "one identity, several values:", conflicts);
  list(out, "what happened:", log);
  return out;
}

}  // namespace weir::testing
