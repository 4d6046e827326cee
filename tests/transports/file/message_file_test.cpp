#include <weir/file/message_file.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>
#include <weir/topic.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;

namespace {

std::string line_of(int number, std::string_view payload) {
  return R"({"pipeline":"test/lines","stream":"in","partition":"0","topic":"long","number":)" + std::to_string(number) + R"(,"payload":")" +
         std::string(payload) + "\"}\n";
}

task<> give(message_sender& to, std::uint64_t number) {
  std::vector<message> batch;
  batch.emplace_back("test/lines", "in", "0", "long", number, "m" + std::to_string(number));
  return to.send(std::move(batch));
}

}  // namespace

TEST_CASE("messages of a pipeline are lines of a file, and a restart goes on behind them", "[file][outbox]") {
  test::temporary_folder const folder;
  std::string const out = folder.file("out");
  auto const store = std::make_shared<memory_state_store>();
  auto const run = [&](testing::script<std::string> const& input) {
    settings s;
    s.name = "test";
    s.checkpoints = store;
    s.log = logger(log_level::error, [](log_level, std::string_view) {});
    application app(std::move(s));
    app.use_source(std::make_shared<testing::faulty_source<std::string>>(input), [&](auto& pipeline) {
      auto const as_it_is = [](std::string const& text) { return text; };
      pipeline.name("lines")
          .use_topic("long", topic<std::string>(std::make_shared<file::message_file>(out), as_it_is))
          .use_stream([](stream<std::string> lines, stream_context& context) -> task<> {
            while (std::string const* const line = co_await lines.next()) co_await context.send("long", *line);
          });
    });
    testing::run(app.serve());
  };
  testing::script<std::string> input("in");
  input.element("one").elements({"two", "three"});
  run(input);
  CHECK(folder.read("out") == line_of(1, "one") + line_of(2, "two") + line_of(3, "three"));
  run(input.element("four"));
  CHECK(folder.read("out") == line_of(1, "one") + line_of(2, "two") + line_of(3, "three") + line_of(4, "four"));
}

TEST_CASE("a line that a crash has cut short is written again, whole", "[file][outbox]") {
  test::temporary_folder const folder;
  std::string const out = folder.file("out");
  file::message_file to(out);
  testing::run(give(to, 1));
  std::ofstream(out, std::ios::app) << line_of(2, "m2").substr(0, 40);
  testing::run(give(to, 2));
  CHECK(folder.read("out") == line_of(1, "m1") + line_of(2, "m2"));
}

TEST_CASE("a file for messages that cannot be written is refused at once", "[file][outbox]") {
  test::temporary_folder const folder;
  CHECK_THROWS_AS(file::message_file(folder.file("none") + "/out"), error);
}
