// The rows of each checkpoint in a file of their own.
#include <weir/file/folder.hpp>

#include <weir/application.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/faulty_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>
#include <weir/testing/simulation.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/small_disk.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace weir;
using test::fails_with;
using testing::fault;
using testing::script;

namespace {

using contents = std::map<std::string, std::string>;  // by name, hidden files too

contents in(std::filesystem::path const& path) {
  contents all;
  for (auto const& entry : std::filesystem::directory_iterator(path)) {
    std::ifstream file(entry.path(), std::ios::binary);
    all[entry.path().filename().string()] = std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return all;
}
file::folder<int> numbers_in(std::filesystem::path const& path) {
  return {path, ".txt", [](int x) { return std::to_string(x); }};
}
checkpoint_key const key("app/bars", "ticks", "0");

settings with(std::shared_ptr<state_store> store) {
  settings s;
  s.name = "app";
  s.checkpoints = std::move(store);
  s.commit.records = 2;
  s.log = logger(log_level::error, [](log_level, std::string_view) {});
  return s;
}
// Elements of which each read and commit gives way, so that a crash can come between.
void copy_into(std::filesystem::path const& path, application& app, script<int> const& input) {
  app.use_source(std::make_shared<testing::faulty_source<int>>(input), [&](auto& pipeline) {
    pipeline.name("bars").use_sink("out", numbers_in(path)).use_stream([](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) co_await context.sink<int>("out").write(*x);
    });
  });
}
void write(std::filesystem::path const& path, std::uint64_t version, std::vector<int> rows) {
  testing::run(numbers_in(path).write(std::move(rows))->write(key, version));
}

}  // namespace

TEST_CASE("a checkpoint with rows is a file, a line for each row", "[file][sink]") {
  test::temporary_folder const folder;
  auto const store = std::make_shared<memory_state_store>();
  application app(with(store));
  copy_into(folder.path(), app, script<int>().elements({1, 2}).element(3).element(4).element(5));
  testing::run(app.serve());
  CHECK(in(folder.path()) == contents{{"app%2Fbars+0+000000000001.txt", "1\n2\n"},
                                      {"app%2Fbars+0+000000000002.txt", "3\n4\n"},
                                      {"app%2Fbars+0+000000000003.txt", "5\n"}});
  testing::run(app.serve());  // nothing is left to do
  CHECK(in(folder.path()).size() == 3);
}

TEST_CASE("wherever the process crashes, each row is in the folder once at last", "[file][sink]") {
  std::size_t crashes = 0, ahead = 0;
  for (std::uint64_t step = 0;; ++step) {
    test::temporary_folder const folder;
    auto const kept = std::make_shared<memory_state_store>();
    auto const input = script<int>().elements({1, 2}).element(3).elements({4, 5, 6}).element(7);
    testing::simulation world;
    world.crash_after(step);
    bool crashed = false;
    try {
      application app(with(std::make_shared<testing::faulty_store>(kept)));
      copy_into(folder.path(), app, input);
      world.run(app.serve());
    } catch (testing::crashed const&) {
      crashed = true;
      ++crashes;
      auto const saved = testing::run(kept->load(checkpoint_key("app/bars", "memory", "0")));
      ahead += in(folder.path()).size() > (saved ? saved->head.version : 0);
    }
    application app(with(std::make_shared<testing::faulty_store>(kept)));
    copy_into(folder.path(), app, input);
    world.run(app.serve());
    std::string all;
    for (auto const& [name, text] : in(folder.path())) all += text;
    INFO("crash after step " << step);
    CHECK(all == "1\n2\n3\n4\n5\n6\n7\n");
    if (!crashed) break;
  }
  CHECK(crashes > 12);
  CHECK(ahead >= 3);  // there was a file whose commit had not come
}

TEST_CASE("a commit whose answer is lost keeps its file; what comes later has another", "[file][sink]") {
  test::temporary_folder const folder;
  auto const kept = std::make_shared<memory_state_store>();
  auto const input = script<int>().elements({1, 2}).elements({3, 4}).element(5);
  for (fault const f : {fault::lost_ack, fault::fail}) {
    application app(with(std::make_shared<testing::faulty_store>(kept, testing::fault_script("commit").at(1, f))));
    copy_into(folder.path(), app, input);
    CHECK_THROWS_AS(testing::run(app.serve()), error);
  }
  application app(with(kept));
  copy_into(folder.path(), app, input);
  testing::run(app.serve());
  CHECK(in(folder.path()) == contents{{"app%2Fbars+0+000000000001.txt", "1\n2\n"},
                                      {"app%2Fbars+0+000000000002.txt", "3\n4\n"},
                                      {"app%2Fbars+0+000000000003.txt", "5\n"}});
}

TEST_CASE("what a crash left is removed at the start, and nothing else", "[file][sink]") {
  test::temporary_folder const folder;
  write(folder.path(), 1, {1});
  write(folder.path(), 2, {2});
  std::string const one = "app%2Fbars+0+000000000001.txt", two = "app%2Fbars+0+000000000002.txt";
  folder.write('.' + two + ".part", "half");
  folder.write(".app%2Fbars+1+000000000002.txt.part", "of another partition");
  folder.write("app%2Fbars+1+000000000002.txt", "of another partition");
  folder.write("app%2Fbars+0+notes.txt", "of somebody");
  testing::run(numbers_in(folder.path()).resume(key, 1));
  CHECK(in(folder.path()) == contents{{one, "1\n"},
                                      {".app%2Fbars+1+000000000002.txt.part", "of another partition"},
                                      {"app%2Fbars+1+000000000002.txt", "of another partition"},
                                      {"app%2Fbars+0+notes.txt", "of somebody"}});
  write(folder.path(), 2, {22});
  CHECK(folder.read(two) == "22\n");
}

TEST_CASE("files of checkpoints that the store does not have are not touched, but refused", "[file][sink]") {
  test::temporary_folder const folder;
  write(folder.path(), 1, {1});
  write(folder.path(), 2, {2});
  fails_with(
      errc::incompatible, [&] { testing::run(numbers_in(folder.path()).resume(key, 0)); }, "checkpoint 2", "the store has none",
      "000000000002.txt");
  CHECK(in(folder.path()).size() == 2);
}

TEST_CASE("a file of another worker is never replaced", "[file][sink]") {
  test::temporary_folder const folder;
  write(folder.path(), 1, {1});
  fails_with(errc::stale, [&] { write(folder.path(), 1, {7}); }, "there already", "000000000001.txt");
  CHECK(in(folder.path()) == contents{{"app%2Fbars+0+000000000001.txt", "1\n"}});
}

TEST_CASE("a worker that was fenced removes nothing of its successor's, and what it writes late does not stay", "[file][sink]") {
  test::temporary_folder const folder;
  auto const out = numbers_in(folder.path());
  auto const at_once = [&](std::uint64_t fences, std::vector<int> rows) {
    auto const w = out.write(std::move(rows));
    w->fences(fences);
    testing::run(w->write(key, 5));
  };
  // Both begin behind commit 4, whose file is of one of the two.
  std::string const fourth = "app%2Fbars+0+000000000004+1.txt", second = "app%2Fbars+0+000000000005+2.txt",
                    mark = ".app%2Fbars+0+2.fence.txt";
  folder.write(fourth, "4\n");
  testing::run(out.resume(key, 4, 1));
  SECTION("it was slow to begin") {
    testing::run(out.resume(key, 4, 2));
    at_once(2, {22});
    fails_with(errc::stale, [&] { testing::run(out.resume(key, 4, 1)); }, "another worker has begun");
  }
  SECTION("it was slow to write, and the other one has written") {
    testing::run(out.resume(key, 4, 2));
    at_once(2, {22});
    fails_with(errc::stale, [&] { at_once(1, {11}); }, "another worker has begun");
  }
  SECTION("it was slow to write, and the other one has not yet") {
    testing::run(out.resume(key, 4, 2));
    fails_with(errc::stale, [&] { at_once(1, {11}); }, "another worker has begun");
    at_once(2, {22});
  }
  SECTION("it has written, and was slow to commit") {
    at_once(1, {11});
    testing::run(out.resume(key, 4, 2));
    at_once(2, {22});
  }
  CHECK(in(folder.path()) == contents{{fourth, "4\n"}, {second, "22\n"}, {mark, ""}});
}

TEST_CASE("names are those of pipeline, partition and version, whatever is in them", "[file][sink]") {
  test::temporary_folder const folder;
  file::folder_files const files(folder.path(), ".csv");
  CHECK(files.name_of(checkpoint_key("a/b", "s", "data/x y.csv"), 17) == "a%2Fb+data%2Fx%20y.csv+000000000017.csv");
  CHECK(files.name_of(checkpoint_key("a+", "s", "b"), 1) != files.name_of(checkpoint_key("a", "s", "+b"), 1));
  CHECK(files.name_of(checkpoint_key("a", "s", "b"), 1234567890123) == "a+b+1234567890123.csv");
  std::string const deep(300, 'x');
  std::string const first = files.name_of(checkpoint_key("a", "s", deep + "1"), 1),
                    second = files.name_of(checkpoint_key("a", "s", deep + "2"), 1);
  CHECK(first != second);
  CHECK(first.size() < 230);
  files.put(first, "text");
  CHECK(folder.read(first) == "text");
}

TEST_CASE("a folder that cannot be used is refused when it is named", "[file][sink]") {
  test::temporary_folder const folder;
  fails_with(errc::not_found, [&] { numbers_in(folder / "none"); }, "none", "make it first");
  fails_with(errc::not_found, [&] { numbers_in(folder.write("file", "")); }, "no folder");
  fails_with(errc::invalid_option, [&] { file::folder<int>(folder.path(), "/x", [](int) { return std::string(); }); }, "slash");
}

TEST_CASE("a full disk fails the commit and leaves no file", "[file][sink]") {
  test::small_disk disk(64);
  if (!disk.works()) return;
  auto const path = disk / "";
  fails_with(errc::no_space, [&] { write(path, 1, std::vector<int>(100'000, 1)); }, "cannot write rows");
  CHECK(in(path).empty());
  write(path, 1, {1});
  CHECK(in(path).size() == 1);
}
