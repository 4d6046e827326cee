#include <request_decoder.hpp>

#include "apps/decoded.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <string>
#include <vector>

using namespace weblog;
using weir::test::temporary_folder;

namespace {
std::string const good = "10.0.0.1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 12 \"-\" \"x\"\n";
std::string const bad = "10.0.0.1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" two 12 \"-\" \"x\"\n";

weir::file::options log(std::string const& path) {
  weir::file::options o;
  o.paths = {path};
  return o;
}
}  // namespace

TEST_CASE("a line of a log becomes a hit that needs the line no more") {
  temporary_folder const folder;
  auto const path = folder.write("a.log", good + "::1 - - [17/May/2015:10:05:04 +0000] \"GET / HTTP/1.1\" 404 - \"-\" \"cut o");
  request_decoder decoder({});
  auto const hits = weir::test::decoded(log(path), decoder);
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].client == "10.0.0.1");
  CHECK(hits[0].time == 1431857103'000000000);
  CHECK(hits[0].status == 200);
  CHECK(hits[0].bytes == 12);
  CHECK(hits[1].client == "::1");
  CHECK(hits[1].status == 404);
  CHECK(decoder.cut() == 1);
}

TEST_CASE("a line that is no request ends the run with file, line and byte") {
  temporary_folder const folder;
  auto const path = folder.write("a.log", good + bad + good);
  request_decoder decoder({});
  weir::test::fails_with(
      weir::errc::malformed, [&] { weir::test::decoded(log(path), decoder); }, "weblog: cannot use a line", "a.log, line 2, byte 74",
      "column 60 should have a status of three digits", "--on-broken-line dead-letter FILE");
}

TEST_CASE("a line that is no request goes to the dead letters, and becomes a hit without a client") {
  temporary_folder const folder;
  auto const path = folder.write("a.log", good + bad + "\n" + good);
  std::vector<std::string> texts, messages;
  request_decoder decoder(weir::file::dead_letter([&](weir::file::broken_line const& line) {
    texts.emplace_back(line.text);
    messages.emplace_back(line.message);
    CHECK(line.path == path);
    CHECK(line.line_number == texts.size() + 1);
    CHECK(line.offset == (texts.size() == 1 ? good.size() : good.size() + bad.size()));
  }));
  auto const hits = weir::test::decoded(log(path), decoder);
  REQUIRE(hits.size() == 4);
  CHECK(hits[1].client.empty());
  CHECK(hits[2].client.empty());
  CHECK(hits[3].client == "10.0.0.1");
  CHECK(texts == std::vector<std::string>{bad.substr(0, bad.size() - 1), ""});
  CHECK(messages[0].find("column 60") != std::string::npos);
}
