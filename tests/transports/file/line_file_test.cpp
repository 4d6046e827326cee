#include <weir/file/line_file.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <weir/error.hpp>

using weir::file::line_file;
using weir::test::temporary_folder;

namespace {
std::string const beginning = R"({"event":"bar:closed")";
}

TEST_CASE("events are appended to a file, line by line") {
  temporary_folder const folder;
  {
    line_file events(folder.file("e"), "events", beginning);
    events.add("{\"a\":1}");
    CHECK(folder.read("e").empty());
    events.flush();
    events.add("{\"a\":2}");
    events.flush();
  }
  line_file again(folder.file("e"), "events", beginning);
  again.add("{\"a\":3}");
  again.flush();
  CHECK(folder.read("e") == "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
}

TEST_CASE("an event that a killed run left unfinished is cut off") {
  temporary_folder const folder;
  std::string const whole = R"({"event":"bar:closed","symbol":"A"})"
                            "\n";
  for (std::string const rest : {R"({)", R"({"event":"bar:cl)", R"({"event":"bar:closed","symbol":"B","win)"}) {
    for (auto const& before : {std::string(), whole, std::string(16'000, 'x') + "\n"}) {
      folder.write("e", before + rest);
      line_file events(folder.file("e"), "events", beginning);
      events.add("next");
      events.flush();
      CHECK(folder.read("e") == before + "next\n");
    }
  }
}

TEST_CASE("text of somebody else at the end of the events' file is left alone") {
  temporary_folder const folder;
  for (auto const& before : {std::string("a note"), std::string(20'000, 'x')}) {
    folder.write("e", before);
    line_file events(folder.file("e"), "events", beginning);
    events.add("next");
    events.flush();
    CHECK(folder.read("e") == before + "\nnext\n");
  }
}

TEST_CASE("events that cannot be written are an error with the file's name") {
  temporary_folder const folder;
  CHECK_THROWS_WITH(line_file(folder.path().string(), "events", beginning),
                    Catch::Contains(folder.path().string()) && Catch::Contains("directory"));
  CHECK_THROWS_WITH(line_file(folder.file("no/such/folder"), "events", beginning), Catch::Contains("no/such/folder"));
  line_file full("/dev/full", "events", beginning);
  full.add("next");
  CHECK_THROWS_WITH(full.flush(), Catch::Contains("/dev/full") && Catch::Contains("No space left"));
}
