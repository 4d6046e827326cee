#include "stream_options.hpp"

#include "time_text.hpp"

#include <vector>

namespace command_line {

CLI::Option* add_input(CLI::App& app, std::string& file, std::string const& what) {
  return app.add_option("-i,--input", file, what)
      ->type_name("FILE")
      ->check([](std::string const& text) { return std::string(text.empty() ? "the name of the file is empty" : ""); })
      ->group("Input");
}

CLI::Option* add_broken_lines(CLI::App& app, std::string& file, std::string const& thing) {
  auto const choose = [&file](std::vector<std::string> const& words) {
    bool const dead_letter = words[0] == "dead-letter" && words.size() == 2 && !words[1].empty();
    if (!dead_letter && (words[0] != "fail" || words.size() != 1))
      throw CLI::ValidationError("--on-broken-line", "give either fail, or dead-letter and a file");
    file = dead_letter ? words[1] : "";
  };
  return app
      .add_option_function<std::vector<std::string>>(
          "--on-broken-line", choose, "A line that is not " + thing + ": fail ends the run, dead-letter FILE puts it there and goes on")
      ->expected(1, 2)
      ->type_name("POLICY [FILE]")
      ->default_str("fail")
      ->group("Input");
}

CLI::Option* add_duration(CLI::App& app, std::string const& flag, std::int64_t& length, std::string const& what, std::int64_t least) {
  std::string const name = flag.substr(flag.rfind("--"));
  auto const read = [&length, name, least](std::string const& text) {
    auto const parsed = parse_duration(text);
    if (!parsed) throw CLI::ValidationError(name, "'" + text + "' is not a duration such as 1m, 1s, 5m, 1h");
    constexpr std::int64_t most = 630'720'000'000'000'000;  // 20 years of 365 days
    if (*parsed > most) throw CLI::ValidationError(name, "'" + text + "' is longer than " + duration_text(most));
    if (*parsed < least) throw CLI::ValidationError(name, "'" + text + "' is shorter than " + duration_text(least));
    length = *parsed;
  };
  return app.add_option_function<std::string>(flag, read, what)->default_str(duration_text(length))->type_name("DURATION");
}

}  // namespace command_line
