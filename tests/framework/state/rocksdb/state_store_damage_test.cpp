#include <weir/rocksdb/state_store.hpp>

#include "conformance/state_store_conformance.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using namespace weir;
using test::fails_with;
using test::head;
using test::put;

namespace {

using rocksdb_store = weir::rocksdb::state_store;  // RocksDB's own namespace has the same name

checkpoint_key const key("bars", "ticks", "shard-1");

// Twenty commits; opened again behind `flushed` of them, which moves what is in the log to a table.
saved_checkpoint fill(std::filesystem::path const& folder, std::uint64_t flushed) {
  auto store = std::make_unique<rocksdb_store>(folder);
  test::expected_entries expected;
  for (std::uint64_t n = 1; n <= 20; ++n) {
    std::vector<state_change> const changes{put("window", std::to_string(n % 7), std::string(n * 13, static_cast<char>('a' + n))),
                                            state_change::erase_prefix("dedup", std::to_string(n - 1)),
                                            put("dedup", std::to_string(n), "seen")};
    testing::run(store->commit(key, checkpoint_update(head(n, position(n)), changes)));
    expected.take(changes);
    if (n == flushed) {
      store.reset();
      store = std::make_unique<rocksdb_store>(folder);
    }
  }
  return saved_checkpoint(head(20, position(20)), expected.all());
}

bool is_data(std::filesystem::path const& file) {
  auto const name = file.filename().string();
  return name == "WEIR" || name == "CURRENT" || name.starts_with("MANIFEST") || name.ends_with(".sst") || name.ends_with(".log");
}
std::vector<std::string> data_files(std::filesystem::path const& folder) {
  std::vector<std::string> out;
  for (auto const& f : std::filesystem::directory_iterator(folder))
    if (is_data(f.path())) out.push_back(f.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}
std::string content(std::filesystem::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void write(std::filesystem::path const& file, std::string const& text) { std::ofstream(file, std::ios::binary) << text; }

enum class outcome { refused, whole, wrong };

outcome outcome_of(std::filesystem::path const& folder, saved_checkpoint const& expected) {
  try {
    rocksdb_store store(folder);
    return testing::run(store.load(key)) == expected ? outcome::whole : outcome::wrong;
  } catch (error const& e) {
    INFO(e.what());
    CHECK((e.code() == errc::corrupt || e.code() == errc::incompatible || e.code() == errc::io));
    CHECK(std::string(e.what()).find(folder.string()) != std::string::npos);
    return outcome::refused;
  }
}

}  // namespace

TEST_CASE("a flipped byte anywhere in the files is refused or without effect", "[rocksdb][state]") {
  test::temporary_folder folder;
  std::uint64_t const flushed = GENERATE(std::uint64_t(20), std::uint64_t(10));
  auto const expected = fill(folder / "s", flushed);
  int refused = 0;
  for (auto const& name : data_files(folder / "s")) {
    std::string const sound = content(folder / "s" / name);
    std::size_t const step = sound.size() / 60 + 1;
    for (std::size_t at = 0; at < sound.size(); at += step) {
      INFO(name << " of " << sound.size() << " bytes, at " << at << ", flushed after " << flushed);
      std::filesystem::remove_all(folder / "t");
      std::filesystem::copy(folder / "s", folder / "t");
      std::string damaged = sound;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
      write(folder / "t" / name, damaged);
      auto const o = outcome_of(folder / "t", expected);
      CHECK((o == outcome::refused || o == outcome::whole));
      refused += o == outcome::refused;
    }
  }
  CHECK(refused > 50);
}

TEST_CASE("files that are missing or cut short are refused", "[rocksdb][state]") {
  test::temporary_folder folder;
  auto const expected = fill(folder / "s", 10);
  for (auto const& name : data_files(folder / "s")) {
    std::string const sound = content(folder / "s" / name);
    for (std::size_t const size : {std::size_t(0), sound.size() / 2, sound.size() - 1}) {
      INFO(name << " cut from " << sound.size() << " to " << size);
      std::filesystem::remove_all(folder / "t");
      std::filesystem::copy(folder / "s", folder / "t");
      std::filesystem::resize_file(folder / "t" / name, size);
      auto const o = outcome_of(folder / "t", expected);
      if (!name.starts_with("MANIFEST")) CHECK(o == outcome::refused);
      CHECK(o != outcome::wrong);  // the last that the list of tables says may be dispensable
    }
    INFO(name << " removed");
    std::filesystem::remove_all(folder / "t");
    std::filesystem::copy(folder / "s", folder / "t");
    std::filesystem::remove(folder / "t" / name);
    CHECK(outcome_of(folder / "t", expected) == outcome::refused);
  }
}

TEST_CASE("state beyond the write buffer outlives a crash, and damage to the list of its tables is refused", "[rocksdb][state]") {
  test::temporary_folder folder;
  test::expected_entries expected;
  saved_checkpoint whole;
  {
    rocksdb_store store(folder / "open");
    std::mt19937 dice(1);
    for (std::uint64_t n = 1; n <= 60; ++n) {
      std::string value(3'000'000, '-');
      for (char& c : value) c = static_cast<char>(dice());  // so that it does not compress
      std::vector const changes{put("w", std::to_string(n % 9), value)};
      testing::run(store.commit(key, checkpoint_update(head(n, position(n)), changes)));
      expected.take(changes);
    }
    whole = saved_checkpoint(head(60, position(60)), expected.all());
    CHECK((testing::run(store.load(key)) == whole));                                                 // not in CHECK's words: it has 27 MB
    std::filesystem::copy(folder / "open", folder / "s", std::filesystem::copy_options::recursive);  // as it would be found after a crash
  }
  auto const files = data_files(folder / "s");
  CHECK(std::count_if(files.begin(), files.end(), [](std::string const& f) { return f.ends_with(".sst"); }) > 0);
  std::filesystem::copy(folder / "s", folder / "t");
  CHECK(outcome_of(folder / "t", whole) == outcome::whole);
  auto const list = *std::find_if(files.begin(), files.end(), [](std::string const& f) { return f.starts_with("MANIFEST"); });
  auto const size = std::filesystem::file_size(folder / "s" / list);
  for (std::uintmax_t const cut : {size - 1, size - 40, size / 2}) {
    INFO(list << " cut from " << size << " to " << cut);
    std::filesystem::remove_all(folder / "t");
    std::filesystem::copy(folder / "s", folder / "t");
    std::filesystem::resize_file(folder / "t" / list, cut);
    CHECK(outcome_of(folder / "t", whole) != outcome::wrong);
  }
}

TEST_CASE("of a log that a crash left, the cut end is gone whole, and nothing before it", "[rocksdb][state]") {
  test::temporary_folder folder;
  std::filesystem::create_directory(folder / "s");
  {
    rocksdb_store store(folder / "open");
    for (std::uint64_t n = 1; n <= 10; ++n)
      testing::run(store.commit(key, checkpoint_update(head(n, position(n)), {put("w", "a", std::to_string(n)), put("w", "b", "1")})));
    std::filesystem::copy(folder / "open", folder / "s", std::filesystem::copy_options::recursive);  // as it would be found after a crash
  }
  auto const files = data_files(folder / "s");
  auto const log = *std::find_if(files.begin(), files.end(), [](std::string const& f) { return f.ends_with(".log"); });
  std::string const sound = content(folder / "s" / log);
  std::uint64_t last = 0;
  for (std::size_t size = 0; size <= sound.size(); size += size + 11 < sound.size() ? 11 : 1) {
    INFO(log << " cut from " << sound.size() << " to " << size);
    std::filesystem::remove_all(folder / "t");
    std::filesystem::copy(folder / "s", folder / "t");
    std::filesystem::resize_file(folder / "t" / log, size);
    rocksdb_store store(folder / "t");
    auto const found = testing::run(store.load(key));
    std::uint64_t const version = found ? found->head.version : 0;
    CHECK(version >= last);
    CHECK(version <= last + 1);
    if (found) CHECK(found->entries == std::vector{test::entry("w", "a", std::to_string(version)), test::entry("w", "b", "1")});
    last = version;
  }
  CHECK(last == 10);
}

TEST_CASE("on a full disk a commit fails with the reason, what was before can be read, and later it goes on", "[rocksdb][state]") {
  test::small_disk disk(3000);
  if (!disk.works() && test::skip("needs the right to mount a small disk")) return;
  std::ofstream(disk / "something else") << std::string(1'000'000, 'x');
  std::uint64_t last = 0;
  test::expected_entries expected;
  auto const step = [](std::uint64_t n) { return std::vector{put("w", std::to_string(n), std::string(40'000, static_cast<char>(n)))}; };
  {
    rocksdb_store store(disk / "s");
    bool full = false;
    for (std::uint64_t n = 1; n != 1000 && !full; ++n) {
      try {
        testing::run(store.commit(key, checkpoint_update(head(n, position(n)), step(n))));
        expected.take(step(n));
        last = n;
      } catch (error const& e) {
        INFO(e.what());
        CHECK(e.code() == errc::no_space);
        CHECK(std::string(e.what()).find((disk / "s").string()) != std::string::npos);
        CHECK(std::string(e.what()).find("make room on the disk") != std::string::npos);
        full = true;
      }
    }
    REQUIRE(full);
    REQUIRE(last > 0);
    CHECK(testing::run(store.load(key)) == saved_checkpoint(head(last, position(last)), expected.all()));
    fails_with(errc::no_space, [&] { testing::run(store.commit(key, checkpoint_update(head(last + 1, position(last + 1)), step(last)))); });
    CHECK(testing::run(store.list("bars")).at(0).entries == last);
    std::filesystem::remove(disk / "something else");
    testing::run(store.commit(key, checkpoint_update(head(last + 1, position(last + 1)))));
    CHECK(testing::run(store.load(key)) == saved_checkpoint(head(last + 1, position(last + 1)), expected.all()));
  }
  rocksdb_store store(disk / "s");
  CHECK(testing::run(store.load(key)) == saved_checkpoint(head(last + 1, position(last + 1)), expected.all()));
}

TEST_CASE("on a disk without any room the store says so when it is opened", "[rocksdb][state]") {
  test::small_disk disk(8);
  if (!disk.works() && test::skip("needs the right to mount a small disk")) return;
  fails_with(errc::no_space, [&] { rocksdb_store store(disk / "s"); }, "rocksdb: ", (disk / "s").string());
}

TEST_CASE("a folder on a read-only disk is refused when it is opened", "[rocksdb][state]") {
  test::small_disk disk(3000);
  if (!disk.works() && test::skip("needs the right to mount a small disk")) return;
  { rocksdb_store store(disk / "s"); }
  disk.make_read_only();
  fails_with(errc::access_denied, [&] { rocksdb_store store(disk / "s"); }, (disk / "s").string(), "make the folder writable");
  fails_with(errc::access_denied, [&] { rocksdb_store store(disk / "t"); }, (disk / "t").string());
}
