#include <command_line/input_file.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <weir/error.hpp>

#include <filesystem>
#include <vector>

using command_line::look_at_input;
using command_line::output_name;
using weir::test::temporary_folder;

TEST_CASE("a file that is to be read is found, with its size where that is the size of its text") {
  temporary_folder const folder;
  auto const path = folder.write("a", "12345");
  auto const input = look_at_input("x", path, "things", {});
  CHECK(input.path == std::filesystem::canonical(path).string());
  CHECK(input.size == 5);
  std::filesystem::create_symlink(path, folder.file("link"));
  CHECK(look_at_input("x", folder.file("link"), "things", {}).path == input.path);
  CHECK_FALSE(look_at_input("x", folder.write("z", "\x1f\x8b..."), "things", {}).size);
  CHECK_FALSE(look_at_input("x", "/dev/null", "things", {}).size);
}

TEST_CASE("a file that is not there, or is a folder, is an error that says so") {
  temporary_folder const folder;
  CHECK_THROWS_WITH(look_at_input("x", folder.file("no"), "things", {}), Catch::Contains("x: cannot read") &&
                                                                             Catch::Contains("No such file") &&
                                                                             Catch::Contains("the name of a file of things"));
  CHECK_THROWS_WITH(look_at_input("x", folder.path().string(), "things", {}), Catch::Contains("irectory"));
}

TEST_CASE("a file that would also be written to is refused") {
  temporary_folder const folder;
  auto const path = folder.write("a", "");
  std::filesystem::create_hard_link(path, folder.file("b"));
  std::vector<output_name> const outputs{{"", "--none"}, {"-", "--standard"}, {folder.file("b"), "--alerts"}};
  CHECK_THROWS_WITH(look_at_input("x", path, "things", outputs), Catch::Contains("it is the input and would be written to by --alerts") &&
                                                                     Catch::Contains("give --alerts another name"));
}
