#include <weir/file/text_input.hpp>

#include "gzip_text.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

using namespace weir;
using file::text_input;
using weir::test::fails_with;
using weir::test::gzip;

namespace {

std::string write(std::filesystem::path const& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path.string();
}

std::string read_all(text_input& input, std::size_t room) {
  std::string text, piece(room, '\0');
  while (std::size_t const n = input.read(piece)) {
    text.append(piece, 0, n);
    CHECK(input.offset() == text.size());
  }
  return text;
}

}  // namespace

TEST_CASE("plain and gzip files give their text, whatever they are called") {
  test::temporary_folder const folder;
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + '\n';
  for (std::string const& body : {std::string(), std::string("x"), std::string("\x1f"), text}) {
    text_input plain(write(folder / "plain.gz", body)), zipped(write(folder / "zipped.txt", gzip(body)));
    CHECK_FALSE(plain.is_gzip());
    CHECK(zipped.is_gzip());
    CHECK(read_all(plain, 1000) == body);
    CHECK(read_all(zipped, 1000) == body);
    std::array<char, 8> room{};
    CHECK(zipped.read(room) == 0);
  }
}

TEST_CASE("what cannot be opened says so with the path") {
  test::temporary_folder const folder;
  fails_with(
      errc::not_found, [&] { text_input(folder / "none"); }, "file: cannot open", (folder / "none").string(), "No such file",
      "check the path");
  fails_with(errc::invalid_option, [&] { text_input(folder.path()); }, "file: cannot open", folder.path().string(), "Is a directory");
  std::string const through_a_file = write(folder / "file", "x") + "/below";
  fails_with(errc::not_found, [&] { text_input input(through_a_file); }, through_a_file, "Not a directory");
}

TEST_CASE("a file that may not be read says so") {
  if (::geteuid() == 0 && test::skip("root may read everything")) return;
  test::temporary_folder const folder;
  std::string const path = write(folder / "secret", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  fails_with(errc::access_denied, [&] { text_input input(path); }, path, "check the permissions");
}

TEST_CASE("a truncated gzip file gives what is sound, then fails") {
  test::temporary_folder const folder;
  std::string const whole = gzip("first\nsecond\n");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    text_input input(write(folder / "t.gz", whole.substr(0, size)));
    fails_with(
        errc::end_of_data, [&] { read_all(input, 3); }, "file: cannot inflate", "t.gz, after byte",
        "the gzip data end before they are complete");
    CHECK(input.offset() <= 13);
    if (size >= whole.size() - 8) CHECK(input.offset() == 13);
  }
}

TEST_CASE("a corrupt gzip file and one with something behind it fail after what is sound") {
  test::temporary_folder const folder;
  std::string corrupt = gzip("first\nsecond\n");
  corrupt[corrupt.size() - 5] ^= 1;
  text_input broken(write(folder / "c.gz", corrupt)), longer(write(folder / "l.gz", gzip("first\nsecond\n") + "rest"));
  fails_with(errc::malformed, [&] { read_all(broken, 100); }, "c.gz, after byte 13 of the text", "corrupt");
  fails_with(errc::malformed, [&] { read_all(longer, 100); }, "l.gz, after byte 13 of the text", "not gzip");
  fails_with(errc::malformed, [&] { read_all(longer, 100); }, "not gzip");
}

TEST_CASE("a plain file can be jumped in, a gzip file and a pipe cannot") {
  test::temporary_folder const folder;
  text_input input(write(folder / "plain", "0123456789"));
  REQUIRE(input.jump(4));
  CHECK(input.byte_before(4) == '3');
  CHECK(input.offset() == 4);
  std::array<char, 100> room{};
  CHECK(input.read(room) == 6);
  CHECK(room[0] == '4');
  CHECK(input.jump(10));
  CHECK(input.read(room) == 0);
  CHECK_FALSE(input.jump(11));
  CHECK_FALSE(text_input(write(folder / "zipped", gzip("0123456789"))).jump(4));
}

TEST_CASE("while following, a truncated, replaced or removed file is noticed") {
  test::temporary_folder const folder;
  std::string const path = write(folder / "log", "0123456789");
  text_input input(path);
  std::array<char, 100> room{};
  REQUIRE(input.read(room) == 10);
  CHECK_NOTHROW(input.check_followed());
  std::filesystem::resize_file(path, 4);
  fails_with(errc::stale, [&] { input.check_followed(); }, "file: cannot follow", path, "byte 10", "truncated to 4 bytes");
  std::filesystem::rename(path, folder / "log.1");
  fails_with(errc::stale, [&] { input.check_followed(); }, "removed or renamed");
  write(path, "the next one, and longer");
  fails_with(errc::stale, [&] { input.check_followed(); }, "another file has taken its place");
}
