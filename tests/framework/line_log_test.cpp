#include <weir/line_log.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;

namespace {

// What a log has written, at a time that is set by hand.
class written {
public:
  logger log(log_form form, std::chrono::nanoseconds repeats = 10s) {
    line_log_options o;
    o.least = log_level::debug;
    o.form = form;
    o.repeats = repeats;
    o.write = [this](std::string_view line) { text += line; };
    o.now = [this] { return now; };
    return line_log(o);
  }
  std::string text;
  std::chrono::nanoseconds now = std::chrono::nanoseconds(1'723'161'255'342'000'000);  // 2024-08-08T23:54:15.342Z
};

}  // namespace

TEST_CASE("a message is one line for people", "[framework][log]") {
  written w;
  w.log(log_form::text).with("partition", "3").warning("kinesis: two\nlines");
  CHECK(w.text == "2024-08-08T23:54:15.342Z warning: kinesis: two\\nlines\n");
}

TEST_CASE("a message is one line of JSON with its fields, whatever bytes it has", "[framework][log]") {
  written w;
  w.log(log_form::json).with("pipeline", "bars").with("partition", "a\"b").error("it's \"x\\y\"\n\x01\xff\xc3\xa4");
  CHECK(w.text ==
        "{\"time\":\"2024-08-08T23:54:15.342Z\",\"level\":\"error\",\"message\":\"it's \\\"x\\\\y\\\"\\n\\u0001\xEF\xBF\xBD\xC3\xA4\","
        "\"pipeline\":\"bars\",\"partition\":\"a\\\"b\"}\n");
}

TEST_CASE("what a handler says knows its partition", "[framework][log]") {
  written w;
  settings s;
  s.log = w.log(log_form::json);
  application app(std::move(s));
  app.use_memory_stream(testing::script<int>("ticks").partition("7").element(1), [](auto& p) {
    p.name("bars").use_stream([](stream<int> in, stream_context& context) -> task<> {
      while (co_await in.next()) context.log().warning("odd");
    });
  });
  testing::run(app.serve());
  CHECK(w.text.find(R"("message":"odd","pipeline":"bars","stream":"ticks","partition":"7"})") != std::string::npos);
}

TEST_CASE("messages that differ in numbers only are written once in a while, with how many were left out", "[framework][log]") {
  written w;
  logger const log = w.log(log_form::text);
  log.warning("try 1 failed after 250 ms");
  for (int i = 2; i != 100; ++i) log.warning("try " + std::to_string(i) + " failed after 500 ms");
  log.info("try 1 failed after 250 ms");  // another level is another message
  log.warning("try it");
  w.now += 10s;
  log.warning("try 100 failed after 500 ms");
  log.warning("try 101 failed after 500 ms");
  CHECK(w.text ==
        "2024-08-08T23:54:15.342Z warning: try 1 failed after 250 ms\n"
        "2024-08-08T23:54:15.342Z info: try 1 failed after 250 ms\n"
        "2024-08-08T23:54:15.342Z warning: try it\n"
        "2024-08-08T23:54:25.342Z warning: try 100 failed after 500 ms (and 98 more like it since the last one)\n");
}

TEST_CASE("errors are written however often they come, and everything is where repeats are wanted", "[framework][log]") {
  written w;
  for (int i = 0; i != 3; ++i) w.log(log_form::text).error("x");
  logger const all = w.log(log_form::text, 0s);
  for (int i = 0; i != 3; ++i) all.info("y");
  std::size_t lines = 0;
  for (char const c : w.text) lines += c == '\n' ? 1 : 0;
  CHECK(lines == 6);
}

TEST_CASE("what is known of repeats is bounded", "[framework][log]") {
  written w;
  logger const log = w.log(log_form::text);
  std::string id;
  for (int i = 0; i != 2'000; ++i) {
    id.clear();
    for (int n = i + 26; n != 0; n /= 26) id += static_cast<char>('a' + n % 26);
    log.info(id);
    w.now += 1us;
  }
  CHECK(w.text.size() > std::size_t{2'000} * 30);
  std::size_t const before = w.text.size();
  log.info(id);
  CHECK(w.text.size() == before);
}
