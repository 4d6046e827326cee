#include <weir/configuration.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

// A program with some options, started with these flags and variables.
class program {
public:
  program() {
    s.name = "ticks";
    config.add(s).add("stream", stream, "what is read").add("status.port", port, "where it is shown").add("live", live, "follow it");
    config.add("speed", speed, "of the replay").add_secret("database.password", password, "of the user ticks");
  }
  configuration::outcome start(std::vector<char const*> flags, std::vector<char const*> variables = {}) {
    flags.insert(flags.begin(), "program");
    variables.push_back(nullptr);
    return config.load(static_cast<int>(flags.size()), flags.data(), variables.data(), [this](std::string_view all) { printed += all; });
  }
  settings s;
  std::string stream = "trades", password;
  std::uint16_t port = 9464;
  bool live = false;
  double speed = 1;
  configuration config;
  std::string printed;
};

bool has_line(std::string const& text, std::string const& name, std::string const& value, std::string const& origin) {
  std::size_t const at = text.find(name + " ");
  if (at == std::string::npos) return false;
  std::string const line = text.substr(at, text.find('\n', at) - at);
  return line.find(" " + value + " ") != std::string::npos && line.ends_with(" " + origin);
}

}  // namespace

TEST_CASE("code goes before the file, the file before the environment, the environment before flags", "[framework][settings]") {
  temporary_folder const folder;
  std::string const file =
      folder.write("s.json", R"({"stream": "file", "status": {"port": 1}, "commit": {"every": "5s", "records": 10}, "live": true})");
  program p;
  CHECK(p.start({"--settings", file.c_str(), "--commit-every=250ms", "--speed", "2.5"},
                {"WEIR_STREAM=environment", "WEIR_COMMIT_EVERY=1min", "PATH=/bin", "WEIR_STALL_AFTER=2h"}) == configuration::outcome::run);
  CHECK(p.s.name == "ticks");
  CHECK(p.stream == "environment");
  CHECK(p.port == 1);
  CHECK(p.live);
  CHECK(p.speed == 2.5);
  CHECK(p.s.commit.records == 10);
  CHECK(p.s.commit.every == 250ms);
  CHECK(p.s.stall_after == 2h);
}

TEST_CASE("each value is shown with where it comes from, secrets are not", "[framework][settings]") {
  temporary_folder const folder;
  std::string const file = folder.write("s.json", R"({"database": {"password": "hunter2"}, "status.port": "8080"})");
  program p;
  std::string const variable = "WEIR_SETTINGS=" + file;
  CHECK(p.start({"--print-settings", "--drain-timeout", "90s"}, {variable.c_str(), "WEIR_STREAM=x"}) == configuration::outcome::done);
  INFO(p.printed);
  CHECK(has_line(p.printed, "name", "ticks", "default"));
  CHECK(has_line(p.printed, "status.port", "8080", "file " + file));
  CHECK(has_line(p.printed, "stream", "x", "variable WEIR_STREAM"));
  CHECK(has_line(p.printed, "drain_timeout", "90s", "flag --drain-timeout"));
  CHECK(has_line(p.printed, "database.password", "***", "file " + file));
  CHECK(p.printed.find("hunter2") == std::string::npos);
  CHECK(p.password == "hunter2");
}

TEST_CASE("a name that nobody knows is refused, and the nearest one is named", "[framework][settings]") {
  fails_with(errc::invalid_option, [] { program().start({"--comit-every=1s"}); }, "flag --comit-every", "did you mean --commit-every?");
  fails_with(errc::invalid_option, [] { program().start({"--print-setings"}); }, "did you mean --print-settings?");
  fails_with(errc::invalid_option, [] { program().start({"input.csv"}); }, "there is no such flag", "--help");
  fails_with(errc::invalid_option, [] { program().start({}, {"WEIR_STREEM=x"}); }, "WEIR_STREEM", "did you mean WEIR_STREAM?");
  fails_with(
      errc::invalid_option, [] { program().config.read_json(R"({"status": {"prot": 1}})", "file s.json"); }, "file s.json", "status.prot",
      "did you mean status.port?");
}

TEST_CASE("a value that cannot be is refused with what would be right; a secret is not repeated", "[framework][settings]") {
  fails_with(
      errc::invalid_option, [] { program().start({"--commit-every", "5"}); }, "commit.every", "flag --commit-every", "\"5\"",
      "with its unit");
  for (char const* const wrong : {"5 s", "-5s", "5sec", "s", "", "99999999999h"})
    fails_with(errc::invalid_option, [wrong] { program().start({"--commit-every", wrong}); }, "a duration with its unit");
  fails_with(errc::invalid_option, [] { program().start({"--status-port=65536"}); }, "a whole number from 0 to 65535");
  fails_with(errc::invalid_option, [] { program().start({"--commit-records=-1"}); }, "a whole number");
  fails_with(errc::invalid_option, [] { program().start({"--live=yes"}); }, "true or false");
  fails_with(errc::invalid_option, [] { program().start({"--speed=fast"}); }, "a number");
  fails_with(errc::invalid_option, [] { program().start({"--stream"}); }, "it has no value");
  std::uint64_t pin = 0;
  configuration secret;
  secret.add("pin", pin, "");
  fails_with(errc::invalid_option, [&] { secret.add("pin", pin, ""); }, "two are called pin");
}

TEST_CASE("a file that is none is refused, with its line", "[framework][settings]") {
  fails_with(errc::invalid_option, [] { program().start({"--settings", "/nowhere/s.json"}); }, "/nowhere/s.json", "cannot be opened");
  fails_with(
      errc::invalid_option, [] { program().config.read_json("{\n\"stream\": \n}", "file s.json"); }, "file s.json, line 3", "no JSON");
  fails_with(errc::invalid_option, [] { program().config.read_json(R"({"stream": "a", "stream": "b"})", "f"); }, "stream is there twice");
  fails_with(errc::invalid_option, [] { program().config.read_json(R"({"stream": ["a", "b"]})", "f"); }, "is a list");
  fails_with(errc::invalid_option, [] { program().config.read_json("5", "f"); }, "no JSON object");
}

TEST_CASE("help names every flag with what it means", "[framework][settings]") {
  program p;
  CHECK(p.start({"--help", "--nonsense"}) == configuration::outcome::done);
  INFO(p.printed);
  CHECK(p.printed.find("--commit-every  a checkpoint after so long (1s)") != std::string::npos);
  CHECK(p.printed.find("--database-password  of the user ticks\n") != std::string::npos);
}
