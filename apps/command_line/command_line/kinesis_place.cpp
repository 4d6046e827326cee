#include "kinesis_place.hpp"

#include "time_text.hpp"

#include <weir/instant.hpp>

#include <chrono>
#include <optional>

namespace command_line {
namespace {

// Null: it is none. A time to come is refused by Kinesis.
std::optional<std::int64_t> parse_arrival(std::string const& text) {
  if (auto const time = parse_time(text, time_unit::rfc3339)) return time;
  auto const ago = parse_duration(text);
  std::int64_t time = 0;
  if (!ago || __builtin_sub_overflow(weir::to_instant(std::chrono::system_clock::now()), *ago, &time)) return std::nullopt;
  return time;
}

}  // namespace

void add_endpoint(CLI::App& app, std::string& endpoint, std::string& region, std::string const& group) {
  app.add_option("--endpoint", endpoint, "Where the service is, for emulators and proxies; otherwise as AWS_ENDPOINT_URL and the like say")
      ->type_name("URL")
      ->group(group);
  app.add_option("--region", region, "Its region; otherwise as AWS_REGION or the profile says")->type_name("REGION")->group(group);
}

CLI::Option* add_reading_start(CLI::App& app, std::string const& flag, reading_start& start, std::string const& what,
                               std::string const& oldest) {
  using kind = reading_start::kind;
  auto const read = [&start, flag, oldest](std::string const& text) {
    auto const time = parse_arrival(text);
    if (text == oldest || text == "earliest") start.what = kind::trim_horizon;
    else if (text == "latest") start.what = kind::latest;
    else if (time) start = reading_start{kind::time, *time};
    else
      throw CLI::ValidationError(flag,
                                 "'" + text + "' is neither " + oldest + " nor latest, nor a time such as 2024-08-08T23:54:15Z or 10m");
  };
  return app.add_option_function<std::string>(flag, read, what)
      ->type_name("START")
      ->default_str(start.what == kind::latest ? "latest" : oldest);
}

}  // namespace command_line
