#include <weir/log.hpp>

#include "support/catch.hpp"

#include <unistd.h>

#include <cstdio>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using weir::log_level;
using weir::logger;

namespace {

// What is written to standard error while `call` runs.
template <class Call> std::string standard_error(Call call) {
  std::fflush(stderr);
  std::FILE* const file = std::tmpfile();
  int const before = ::dup(2);
  ::dup2(::fileno(file), 2);
  call();
  std::fflush(stderr);
  ::dup2(before, 2);
  ::close(before);
  REQUIRE(std::fseek(file, 0, SEEK_SET) == 0);
  std::string out;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) out += static_cast<char>(c);
  std::fclose(file);
  return out;
}

}  // namespace

TEST_CASE("a logger hands on what is at least its level", "[framework][log]") {
  std::vector<std::pair<log_level, std::string>> seen;
  logger const log(log_level::info, [&](log_level level, std::string_view message) { seen.emplace_back(level, message); });
  log.debug("a");
  log.info("b");
  log.warning("c");
  log.error("d");
  log(log_level::debug, "e");
  CHECK(seen == std::vector<std::pair<log_level, std::string>>{{log_level::info, "b"}, {log_level::warning, "c"}, {log_level::error, "d"}});
  CHECK_FALSE(log.enabled(log_level::debug));
  CHECK(log.enabled(log_level::info));
}

TEST_CASE("by default warnings and errors go to standard error, one line each", "[framework][log]") {
  std::string const out = standard_error([] {
    logger const log;
    log.info("not shown");
    log.warning("file: skipped a line; look at it");
    log.error("two\nlines");
  });
  std::regex const form(
      R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warning: file: skipped a line; look at it
\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z error: two\\nlines
)");
  INFO(out);
  CHECK(std::regex_match(out, form));
}

TEST_CASE("a level alone changes what goes to standard error", "[framework][log]") {
  CHECK(standard_error([] { logger(log_level::debug).debug("shown"); }).find(" debug: shown\n") != std::string::npos);
  CHECK(standard_error([] { logger(log_level::error).warning("not shown"); }).empty());
}

TEST_CASE("a log function that throws does not stop the work", "[framework][log]") {
  logger const log(log_level::debug, [](log_level, std::string_view) { throw std::runtime_error("log is broken"); });
  CHECK_NOTHROW(log.error("x"));
}
