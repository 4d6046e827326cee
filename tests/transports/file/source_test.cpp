#include <weir/file/source.hpp>

#include <weir/testing/recording_metrics.hpp>

#include "gzip_text.hpp"
#include "read_file.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

file::options ticks(std::string path) {
  return {.paths = {std::move(path)}, .format = file::format::ndjson, .fields = {"symbol", "price", "size", "time", "trade_id"}};
}

}  // namespace

TEST_CASE("a source is named after its first path and has a partition per path") {
  file::source const source(file::options{.paths = {"b.log", "a.log"}});
  CHECK(source.name() == "file b.log");
  CHECK(source.partitions() == std::vector<std::string>{"b.log", "a.log"});
}

TEST_CASE("what cannot be opened fails before the first record") {
  test::temporary_folder const folder;
  std::string const missing = (folder / "missing").string(), here = folder.path().string();
  file::source source(file::options{.paths = {missing, here}});
  fails_with(errc::not_found, [&] { (void)source.open(missing, {}); }, "file: cannot open", missing);
  fails_with(errc::invalid_option, [&] { (void)source.open(here, {}); }, "file: cannot open", here, "Is a directory");
  fails_with(errc::not_found, [&] { (void)source.open("other", {}); }, "other");
  fails_with(errc::invalid_option, [&] { file::source none(file::options{}); }, "paths");
}

TEST_CASE("plain and gzip files of one text have the same records at the same positions") {
  test::temporary_folder const folder;
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "line " + std::to_string(i * i) + (i % 3 == 0 ? "\r\n" : "\n");
  text += "the last one";
  write(folder / "plain", text);
  write(folder / "zipped", gzip(text.substr(0, 20'000)) + gzip(text.substr(20'000)));
  auto const plain = read({.paths = {folder / "plain"}}), zipped = read({.paths = {folder / "zipped"}});
  REQUIRE(plain.size() == 3001);
  CHECK(plain == zipped);
  CHECK(plain[0].line == "line 0");
  CHECK(plain[0].at == position(8, 1));
  CHECK(plain.back().line == "the last one");
  CHECK(plain.back().at == position(text.size(), 3001));
}

TEST_CASE("reading after any record gives exactly the rest, plain, zipped, and without a line number") {
  test::temporary_folder const folder;
  std::string text = "n\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i) + (i % 5 == 0 ? "\n\n" : "\r\n");
  text += "40";
  write(folder / "plain", text);
  write(folder / "zipped", gzip(text));
  for (std::string const name : {"plain", "zipped"}) {
    file::options const o{.paths = {folder / name}, .format = file::format::csv, .fields = {"n"}};
    auto const all = read(o);
    REQUIRE(all.size() == 41);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<seen> const rest(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
      CHECK(read(o, all[i].at) == rest);
      CHECK(read(o, position(all[i].at.offset())) == rest);
    }
    CHECK(read(o, position()) == all);
  }
}

TEST_CASE("a file that is not the one of the position says so") {
  test::temporary_folder const folder;
  write(folder / "plain", "one\ntwo\nthree\n");
  write(folder / "zipped", gzip("one\ntwo\nthree\n"));
  for (std::string const name : {"plain", "zipped"}) {
    file::options const o{.paths = {folder / name}};
    CHECK(read_failing(o, position(6, 1), errc::stale, "file: cannot resume", name, "byte 6").empty());
    CHECK(read_failing(o, position(100, 9), errc::stale, "file: cannot resume", name, "byte 100", "only 14 bytes").empty());
    CHECK(read(o, position(14, 3)).empty());
  }
}

TEST_CASE("a last line without a line break that got one since is not read twice") {
  test::temporary_folder const folder;
  file::options const o{.paths = {folder / "log"}};
  write(folder / "log", "one\ntwo");
  auto const before = read(o);
  REQUIRE(before.size() == 2);
  append(folder / "log", "\nthree\n");
  CHECK(read(o, before.back().at) == std::vector<seen>{{"three", position(14, 3)}});
  write(folder / "log", "one\ntwo and more\n");
  CHECK(read_failing(o, before.back().at, errc::stale, "the line that ended there has been changed").empty());
}

TEST_CASE("a truncated gzip file delivers its whole lines and then fails") {
  test::temporary_folder const folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919) + "\n";
  std::string const zipped = gzip(text);
  write(folder / "t.gz", zipped.substr(0, zipped.size() / 2));
  auto const all =
      read_failing({.paths = {folder / "t.gz"}}, {}, errc::end_of_data, "file: cannot inflate", "t.gz", "end before they are complete");
  REQUIRE(all.size() > 1000);
  CHECK(all.size() < 20'000);
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i].line == std::to_string(i * 7919));
}

TEST_CASE("a broken line fails the stream after all records before it") {
  test::temporary_folder const folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += i == 700 ? "{\"a\":oops}\n" : "{\"a\":1}\n";
  write(folder / "x.ndjson", text);
  file::options const o{.paths = {folder / "x.ndjson"}, .format = file::format::ndjson, .fields = {"a"}};
  CHECK(read_failing(o, {}, errc::malformed, "file: cannot parse line", "x.ndjson, line 701, byte 5605").size() == 700);
  CHECK(read_failing(o, position(5592, 699), errc::malformed, "line 701, byte 5605").size() == 1);
}

TEST_CASE("dead letters are counted in the metrics") {
  test::temporary_folder const folder;
  write(folder / "x.ndjson", "{\"a\":1}\nbroken\n{\"a\":2}\n\"again\n");
  int letters = 0;
  file::options const o{.paths = {folder / "x.ndjson"},
                        .format = file::format::ndjson,
                        .fields = {"a"},
                        .on_broken_line = file::dead_letter([&](file::broken_line const&) { ++letters; })};
  testing::recording_metrics metrics;
  testing::simulation world;
  world.metrics = &metrics;
  file::source source(o);
  std::vector<seen> all;
  world.run(collect(source.open(o.paths.front(), {}), &all, 100));
  CHECK(all.size() == 2);
  CHECK(letters == 2);
  CHECK(metrics.value("dead_letter_total{partition=\"" + o.paths.front() + "\"}") == 2);
}

TEST_CASE("the real ticks have the lines that were counted, plain and zipped, from the start and from the middle") {
  auto const data = test::shared_data();
  if (!data && test::skip("no shared data")) return;
  for (auto const& [day, count] : {std::pair("20240808", 15'863u), std::pair("20240809", 18'556u)}) {
    file::options const o = ticks((*data / "ticks" / ("binance-spot-" + std::string(day) + ".ndjson.gz")).string());
    auto const all = read(o);
    CHECK(all.size() == count);
    CHECK(all.back().at[1] == count);
    auto const middle = all.begin() + 10'000;
    CHECK(read(o, middle->at) == std::vector<seen>(middle + 1, all.end()));
  }
}

TEST_CASE("a stream that is dropped half-way leaves nothing behind") {
  test::temporary_folder const folder;
  write(folder / "log", std::string(100'000, '\n'));
  CHECK(read({.paths = {folder / "log"}}, {}, 3).size() == 3);
}

TEST_CASE("a line of a gigabyte is an error at once, or passed over, without being held in memory") {
  test::temporary_folder const folder;
  auto const path = folder / "big";
  write(path, "first\n");
  std::filesystem::resize_file(path, (std::uintmax_t(1) << 30) + 6);  // zeros that take no room on the disk
  append(path, "\nlast\n");
  file::options o{.paths = {path}};
  CHECK(read_failing(o, {}, errc::too_large, "big, line 2, byte 6", "longer than 1048576 bytes", "set max_line higher").size() == 1);
  std::size_t shown = 0;
  o.on_broken_line = file::dead_letter([&](file::broken_line const& line) { shown = line.text.size(); });
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  auto const all = read(o);
  ::getrusage(RUSAGE_SELF, &after);
  CHECK(texts(all) == std::vector<std::string>{"first", "last"});
  CHECK(all.back().at == position((std::uint64_t(1) << 30) + 12, 3));
  CHECK(shown == 1024);
  CHECK(after.ru_maxrss - before.ru_maxrss < 64 * 1024);  // KiB; under a sanitizer, too
}
