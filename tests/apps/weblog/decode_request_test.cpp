#include <decode_request.hpp>

#include "apps/decoded.hpp"
#include "support/catch.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using weblog::decode_request;

namespace {
// The example of the Apache documentation (Log Files, Combined Log Format).
std::string const example =
    R"(127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" )"
    R"_("Mozilla/4.08 [en] (Win98; I ;Nav)")_";

std::string with(std::string const& part, std::string const& other) { return weir::test::with_other(example, part, other); }

// A request together with the line that its views are into.
struct kept_request : weblog::request {
  std::shared_ptr<std::string const> line;
};
kept_request good(std::string text) {
  auto const line = std::make_shared<std::string const>(std::move(text));
  auto const decoded = decode_request(*line);
  INFO(*line);
  REQUIRE(decoded.has_value());
  return {*decoded, line};
}
std::string why(std::string const& line) {
  auto const decoded = decode_request(line);
  INFO(line);
  REQUIRE_FALSE(decoded.has_value());
  return weblog::describe(decoded.error(), line);
}
}  // namespace

TEST_CASE("a line of the combined format is a request") {
  auto const r = good(example);
  CHECK(r.client == "127.0.0.1");
  CHECK(r.user == "frank");
  CHECK(r.time == 971211336'000000000);
  CHECK(r.method == "GET");
  CHECK(r.path == "/apache_pb.gif");
  CHECK(r.protocol == "HTTP/1.0");
  CHECK(r.status == 200);
  CHECK(r.bytes == 2326);
  CHECK(r.referer == "http://www.example.com/start.html");
  CHECK(r.agent == "Mozilla/4.08 [en] (Win98; I ;Nav)");
  CHECK_FALSE(r.cut);
}

TEST_CASE("a request's texts are views into its line") {
  auto const r = *decode_request(example);
  for (std::string_view const text : {r.client, r.user, r.method, r.path, r.protocol, r.referer, r.agent}) {
    CHECK(text.data() >= example.data());
    CHECK(text.data() + text.size() <= example.data() + example.size());
  }
}

TEST_CASE("a dash is no bytes and no referer") {
  auto const r = good(with(" 2326 ", " - "));
  CHECK(r.bytes == 0);
  CHECK(good(with(" 2326 ", " 18446744073709551615 ")).bytes == 18446744073709551615U);
  CHECK(good(with("http://www.example.com/start.html", "-")).referer == "-");
  CHECK(good(with("http://www.example.com/start.html", "")).referer.empty());
}

TEST_CASE("quotes and backslashes within a text are escaped with a backslash, and stay so") {
  auto const r = good(with("http://www.example.com/start.html", R"(a\"b \\\" \xe4)"));
  CHECK(r.referer == R"(a\"b \\\" \xe4)");
  CHECK(r.agent == "Mozilla/4.08 [en] (Win98; I ;Nav)");
  CHECK(good(with("http://www.example.com/start.html", R"(\\)")).referer == R"(\\)");
  CHECK(good(with("/apache_pb.gif", R"(/?q=\"a b\")")).path == R"(/?q=\"a b\")");
  CHECK(good(with("Mozilla/4.08 [en] (Win98; I ;Nav)", R"(\")")).agent == R"(\")");
}

TEST_CASE("clients are addresses or names, and users may have blanks in their names") {
  for (std::string const client : {"2001:db8::1", "fe80::1%eth0", "crawl-66-249.googlebot.com", "-"})
    CHECK(good(with("127.0.0.1", client)).client == client);
  CHECK(good(with("frank", "jo ann")).user == "jo ann");
  CHECK(good(with("frank", "-")).user == "-");
}

TEST_CASE("what a client sent instead of HTTP is its path, without a method") {
  for (std::string const text : {"-", "", R"(\x16\x03\x01)", "GET", "GET ", R"(\x05\x01 x)", " / HTTP/1.1"}) {
    INFO(text);
    auto const r = good(with("GET /apache_pb.gif HTTP/1.0", text));
    CHECK(r.method.empty());
    CHECK(r.path == text);
    CHECK(r.protocol.empty());
    CHECK(r.status == 200);
  }
  auto const old = good(with("GET /apache_pb.gif HTTP/1.0", "GET /"));
  CHECK(old.method == "GET");
  CHECK(old.path == "/");
  CHECK(old.protocol.empty());
  auto const blanks = good(with("/apache_pb.gif", "/a b HTTP/x c"));
  CHECK(blanks.path == "/a b HTTP/x c");
  CHECK(blanks.protocol == "HTTP/1.0");
  CHECK(good(with("GET", "M-SEARCH")).method == "M-SEARCH");
}

TEST_CASE("a line that breaks off within the agent is a request and cut") {
  auto const agent = example.rfind('"', example.size() - 2) + 1;
  for (auto size = agent; size != example.size(); ++size) {
    auto const line = example.substr(0, size);
    auto const r = good(line);
    CHECK(r.cut);
    CHECK(r.agent == line.substr(agent));
    CHECK(r.bytes == 2326);
  }
  CHECK(good(with("Nav)\"", "Nav)\\\"")).cut);
}

TEST_CASE("a line that breaks off anywhere before is refused at its end") {
  auto const agent = example.rfind('"', example.size() - 2) + 1;
  for (std::size_t size = 0; size != agent; ++size) {
    auto const line = example.substr(0, size);
    INFO(line);
    auto const decoded = decode_request(line);
    REQUIRE_FALSE(decoded.has_value());
    CHECK(decoded.error().at <= size);
    CHECK_FALSE(decoded.error().expected.empty());
  }
}

TEST_CASE("a line that is no request says at which column what was expected") {
  CHECK(why("") == "column 1 should have the client's address or name, then a blank, but the line ends there");
  CHECK(why(" " + example).starts_with("column 1 should have the client's address"));
  CHECK(why(with("127.0.0.1", "127\t0")).starts_with("column 1 should have an address or name in visible ASCII characters"));
  CHECK(why(with("127.0.0.1", "caf\xc3\xa9")).starts_with("column 1 should have an address or name in visible ASCII characters"));
  CHECK(why(with("127.0.0.1 - ", "127.0.0.1  ")).starts_with("column 11 should have the client's identity or -"));
  CHECK(why(with("frank ", "")).starts_with("column 13 should have the user's name or -"));
  CHECK(why(with("[10/", "10/")).starts_with("column 13 should have the user's name or -, then the time in brackets"));
  CHECK(why(with("-0700]", "-0700")).starts_with("column 20 should have a time of the form [17/May/2015:10:05:03 +0000]"));
  CHECK(why(with("Oct", "Okt")).starts_with("column 20 should have a time with a month from Jan to Dec, but there is \"10/Okt/2000"));
  CHECK(why(with("10/Oct", "32/Oct")).starts_with("column 20 should have a time on a day that exists"));
  CHECK(why(with("13:55:36", "23:59:60")).starts_with("column 20 should have a time of day up to 23:59:59"));
  CHECK(why(with("-0700", "-9900")).starts_with("column 20 should have a time with an offset from UTC up to 23:59"));
  CHECK(why(with("2000", "9000")).starts_with("column 20 should have a time in the years 1680 to 2260"));
  CHECK(why(with("] \"", "]\"")).starts_with("column 47 should have a blank behind the time"));
  CHECK(why(with("\"GET", "GET")).starts_with("column 48 should have the request in quotes"));
  CHECK(why(with("1.0\" 200", "1.0\"200")).starts_with("column 77 should have a blank behind the request"));
  for (std::string const status : {"20", "2000", "099", "2x0", "-", "+20"})
    CHECK(why(with(" 200 ", " " + status + " ")).starts_with("column 78 should have a status of three digits"));
  for (std::string const bytes : {"x", "1x", "-1", "+1", "1.5"})
    CHECK(why(with(" 2326 ", " " + bytes + " ")).starts_with("column 82 should have a number of bytes or -"));
  CHECK(why(with(" 2326 ", " 18446744073709551616 ")).starts_with("column 82 should have a number of bytes below 2^64"));
  CHECK(why(with("\"http", "http")).starts_with("column 87 should have the referer in quotes"));
  CHECK(why(with("html\" \"", "html\"\"")).starts_with("column 122 should have a blank behind the referer"));
  CHECK(why(with("\"Mozilla", "Mozilla")).starts_with("column 123 should have the user agent in quotes"));
  CHECK(why(example + " 17") == "column 158 should have the end of the line behind the user agent, but there is \" 17\"");
  CHECK(why(example + "\r").ends_with(R"(but there is "\x0d")"));
  // The common format ends behind the bytes.
  CHECK(why(example.substr(0, example.find(" \"http"))).starts_with("column 82 should have a number of bytes or -, then a blank"));
}

TEST_CASE("a message about a line is short, whatever is in the line") {
  CHECK(why(std::string(1'000'000, '\xff')).size() < 300);
  CHECK(why(with("frank", std::string(1'000'000, '[')) + "x").size() < 300);
}

// Every byte of the example replaced by every other one: a request or a fault within the line, and nothing else happens.
TEST_CASE("no single byte makes the decoder leave its line") {
  for (std::size_t i = 0; i != example.size(); ++i) {
    for (int c = 0; c != 256; ++c) {
      auto line = example;
      line[i] = static_cast<char>(c);
      auto const decoded = decode_request(line);
      if (!decoded) {
        REQUIRE(decoded.error().at <= line.size());
        REQUIRE(weblog::describe(decoded.error(), line).size() < 400);
      }
    }
  }
}
