#include <command_line/whole_file.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <weir/error.hpp>

#include <filesystem>
#include <string>

using command_line::make_folder;
using command_line::write_whole_file;
using weir::test::temporary_folder;

namespace {
std::size_t entries(temporary_folder const& folder) {
  std::size_t n = 0;
  for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(folder.path())) ++n;
  return n;
}
}  // namespace

TEST_CASE("a file is written as a whole, and replaced as a whole") {
  temporary_folder const folder;
  write_whole_file(folder.file("a"), "one\n", "results");
  CHECK(folder.read("a") == "one\n");
  std::string const large(3'000'000, 'x');
  write_whole_file(folder.file("a"), large, "results");
  CHECK((folder.read("a") == large));
  write_whole_file(folder.file("a"), "", "results");
  CHECK(folder.read("a").empty());
  CHECK(entries(folder) == 1);
}

TEST_CASE("a file that cannot be written is an error with its name, and no temporary is left") {
  temporary_folder const folder;
  CHECK_THROWS_WITH(write_whole_file(folder.file("no/such/a"), "x", "results"),
                    Catch::Contains("results: cannot create") && Catch::Contains("no/such/a"));
  std::filesystem::create_directory(folder.file("a"));
  CHECK_THROWS_WITH(write_whole_file(folder.file("a"), "x", "results"), Catch::Contains("cannot replace") && Catch::Contains("/a:"));
  CHECK(entries(folder) == 1);
}

TEST_CASE("a folder is made with those above it, once") {
  temporary_folder const folder;
  make_folder(folder.file("a/b/c"), "results");
  make_folder(folder.file("a/b/c"), "results");
  CHECK(std::filesystem::is_directory(folder.file("a/b/c")));
  folder.write("file", "");
  CHECK_THROWS_WITH(make_folder(folder.file("file"), "results"),
                    Catch::Contains("results: cannot make the folder") && Catch::Contains("file"));
  CHECK_THROWS_WITH(make_folder(folder.file("file/below"), "results"), Catch::Contains("file/below"));
}
