// What a source does over time: following a file that grows, and replay. The other tests are in source_test.cpp.
#include <weir/file/source.hpp>

#include <weir/sleep.hpp>

#include "gzip_text.hpp"
#include "read_file.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using file::record;
using namespace weir::test;

namespace {

instant time_field(record const& r) {
  std::string_view const text = r.field(0);
  instant seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return seconds * 1'000'000'000;
}

}  // namespace

TEST_CASE("following delivers what is appended, and half a line only when it is whole") {
  test::temporary_folder const folder;
  auto const path = folder / "log";
  write(path, "one\ntwo");
  file::options const o{.paths = {path}, .follow = file::follow_options{.poll = 1s}};
  file::source source(o);
  std::vector<seen> all;
  testing::simulation world;
  instant const start = world.clock().now();
  world.run(with_events({{2500ms, [&] { append(path, " is long"); }},
                         {4500ms, [&] { append(path, "er\nthree\nfo"); }},
                         {9500ms, [&] { append(path, "ur\n"); }}},
                        collect(source.open(path, {}), &all, 4)));
  CHECK(texts(all) == std::vector<std::string>{"one", "two is longer", "three", "four"});
  CHECK(all[0].when - start == 0);
  CHECK(all[1].when - start == 5'000'000'000);
  CHECK(all[2].when - start == 5'000'000'000);
  CHECK(all[3].when - start == 10'000'000'000);
  CHECK(all[3].at == position(29, 4));
}

TEST_CASE("following an empty CSV file waits for the header") {
  test::temporary_folder const folder;
  auto const path = folder / "x.csv";
  write(path, "");
  file::options const o{.paths = {path}, .format = file::format::csv, .fields = {"b"}, .follow = file::follow_options{.poll = 1s}};
  file::source source(o);
  std::vector<seen> all;
  testing::run(with_events({{1500ms, [&] { append(path, "a,"); }}, {3500ms, [&] { append(path, "b\n1,2\n"); }}},
                           collect(source.open(path, {}), &all, 1)));
  CHECK(texts(all) == std::vector<std::string>{"1,2"});
}

// s      0      1   2   3   4   5   6      7   8  ..  13   14  15
// file   one                      two
// out    one q0 q1  q2  q3  q4  q5  two q0 q1  q2  busy    q3  q4
TEST_CASE("following says at each poll for how long it has found nothing; only the time in which it was asked counts") {
  test::temporary_folder const folder;
  auto const path = folder / "log";
  write(path, "one\n");
  file::options const o{.paths = {path}, .follow = file::follow_options{.poll = 1s}};
  file::source source(o);
  std::string story;
  auto const watch = [](stream<record> records, std::string* out) -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    for (int n = 0; n != 13; ++n) {
      if (n == 11) co_await sleep_for(5s);
      chunk<record> const c = co_await next_chunk(records);
      for (record const& r : c.elements) *out += std::string(r.line()) + " ";
      for (mark const& m : c.marks) *out += (m.kind == mark_kind::idle ? "q" : "?") + std::to_string(m.time / 1'000'000'000) + " ";
      if (n == 11) *out += "at " + std::to_string((own.clock().now() - start) / 1'000'000'000) + " ";
    }
  };
  testing::run(with_events({{5500ms, [&] { append(path, "two\n"); }}}, watch(source.open(path, {}), &story)));
  CHECK(story == "one q0 q1 q2 q3 q4 q5 two q0 q1 q2 q3 at 14 q4 ");
}

TEST_CASE("following a file that is truncated or replaced fails after what was read") {
  test::temporary_folder const folder;
  auto const path = folder / "log";
  file::options const o{.paths = {path}, .follow = file::follow_options{.poll = 1s}};
  auto const follow = [&](std::function<void()> change) {
    write(path, "one\ntwo\n");
    file::source source(o);
    std::vector<seen> all;
    fails_with(
        errc::stale, [&] { testing::run(with_events({{500ms, change}}, collect(source.open(path, {}), &all, 9))); }, "file: cannot follow",
        "log, byte 8");
    CHECK(all.size() == 2);
  };
  follow([&] { std::filesystem::resize_file(path, 3); });
  follow([&] { std::filesystem::rename(path, folder / "log.1"), write(path, "new\n"); });
  follow([&] { std::filesystem::remove(path); });
}

TEST_CASE("following a gzip file is refused") {
  test::temporary_folder const folder;
  write(folder / "x.gz", gzip("a\n"));
  file::source source(file::options{.paths = {folder / "x.gz"}, .follow = file::follow_options()});
  fails_with(errc::invalid_option, [&] { (void)source.open(folder / "x.gz", {}); }, "file: cannot follow", "gzip");
}

TEST_CASE("cancelling ends a wait for the file to grow at once") {
  test::temporary_folder const folder;
  auto const path = folder / "log";
  write(path, "one\n");
  file::source source(file::options{.paths = {path}, .follow = file::follow_options{.poll = 24h}});
  std::vector<seen> all;
  testing::simulation world;
  instant const start = world.clock().now();
  fails_with(errc::cancelled,
             [&] { world.run(with_events({{5s, [&] { world.main().cancel(); }}}, collect(source.open(path, {}), &all, 9))); });
  CHECK(all.size() == 1);
  CHECK(world.clock().now() - start == 5'000'000'000);
}

//   time   100   101   101   105   103   165
//   due      0     1     1     5    (5)   65      at speed 1, in seconds
TEST_CASE("replay delivers records at their distances, in order, and what is overdue at once") {
  test::temporary_folder const folder;
  write(folder / "t.csv", "100\n101\n101\n105\n103\n165\n");
  for (int const speed : {1, 10}) {
    file::options const o{.paths = {folder / "t.csv"},
                          .format = file::format::csv,
                          .fields = {"t"},
                          .columns = {"t"},
                          .replay = file::replay_options{.time = time_field, .speed = static_cast<double>(speed)}};
    file::source source(o);
    std::vector<seen> all;
    testing::simulation world;
    instant const start = world.clock().now();
    world.run(collect(source.open(o.paths.front(), {}), &all, 99));
    std::vector<instant> tenths;
    for (seen const& s : all) tenths.push_back((s.when - start) / 100'000'000);
    std::vector<instant> const at_speed_1 = {0, 10, 10, 50, 50, 650};
    REQUIRE(tenths.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(tenths[i] == at_speed_1[i] / speed);
  }
}

TEST_CASE("cancelling ends a replay that waits") {
  test::temporary_folder const folder;
  write(folder / "t.csv", "0\n1000000\n");
  file::options const o{.paths = {folder / "t.csv"},
                        .format = file::format::csv,
                        .fields = {"t"},
                        .columns = {"t"},
                        .replay = file::replay_options{.time = time_field}};
  file::source source(o);
  std::vector<seen> all;
  testing::simulation world;
  fails_with(errc::cancelled, [&] {
    world.run(with_events({{9000s, [&] { world.main().cancel(); }}}, collect(source.open(o.paths.front(), {}), &all, 9)));
  });
  CHECK(all.size() == 1);
}
