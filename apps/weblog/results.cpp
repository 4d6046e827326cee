#include "results.hpp"

#include <weir/error.hpp>
#include <command_line/json_text.hpp>
#include <command_line/whole_file.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace weblog {

void results::add_late(std::string_view result, hit const& h) {
  late.put(late_row{std::string(result), h.time, h.client, h.status, late.size()});
}

void results::write(std::string const& folder, std::map<std::string, weir::tally, std::less<>> const& books) const {
  auto const path = [&](std::string_view name, std::string_view ending) {
    return (std::filesystem::path(folder) / (std::string(name) + std::string(ending))).string();
  };
  auto const put = [&](std::string_view name, std::string const& csv) {
    command_line::write_whole_file(path(name, ".csv"), csv, "results");
  };
  put(sessions_name, sessions.csv());
  put(statuses_name, statuses.csv());
  put(sliding_name, sliding.csv());
  put(top_clients_name, top.csv());
  put(alerts_name, alerts.csv());
  if (late.size() != 0) {
    put(late_name, late.csv());
  } else {
    std::error_code reason;
    std::filesystem::remove(path(late_name, ".csv"), reason);
    if (reason) throw weir::error(reason, "results: cannot remove " + path(late_name, ".csv"), reason.message());
  }
  command_line::write_whole_file(path("ledger", ".json"), ledger_text(books), "results");
}

std::string ledger_text(std::map<std::string, weir::tally, std::less<>> const& books) {
  std::string out = "{";
  for (auto const& [name, t] : books) {
    out += out.size() == 1 ? "\n" : ",\n";
    out += fmt::format(R"(  {}: {{"in": {}, "out": {}, "late": {}, "duplicate": {}, "dead": {}, "open": {}}})",
                       command_line::json_string(name), t.in, t.out, t.late, t.duplicate, t.dead, t.open);
  }
  return out += "\n}\n";
}

}  // namespace weblog
