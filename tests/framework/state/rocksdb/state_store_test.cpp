#include <weir/rocksdb/state_store.hpp>

#include "conformance/state_store_conformance.hpp"
#include "support/temporary_folder.hpp"

#include <rocksdb/db.h>

#include <algorithm>
#include <fstream>
#include <memory>

using namespace weir;
using test::entry;
using test::fails_with;
using test::head;
using test::put;

namespace {

using rocksdb_store = weir::rocksdb::state_store;  // RocksDB's own namespace has the same name

checkpoint_key const key("bars", "ticks", "shard-1");

void commit(std::filesystem::path const& folder, checkpoint_key const& k, checkpoint_update u) {
  rocksdb_store store(folder);
  testing::run(store.commit(k, std::move(u)));
}
std::optional<saved_checkpoint> load(std::filesystem::path const& folder) {
  rocksdb_store store(folder);
  return testing::run(store.load(key));
}
checkpoint_update const first(head(1, position(17, 0, 3), 5), {put("window", "a", "open"), put("dedup", "b", "seen")});
saved_checkpoint const stored(first.head, {entry("dedup", "b", "seen"), entry("window", "a", "open")});

std::unique_ptr<::rocksdb::DB> foreign(std::filesystem::path const& folder) {
  ::rocksdb::Options options;
  options.create_if_missing = true;
  ::rocksdb::DB* db = nullptr;
  REQUIRE(::rocksdb::DB::Open(options, folder.string(), &db).ok());
  return std::unique_ptr<::rocksdb::DB>(db);
}

}  // namespace

TEST_CASE("the state store in RocksDB does what every state store must do", "[rocksdb][state]") {
  test::temporary_folder folder;
  test::state_store_conformance(std::make_unique<rocksdb_store>(folder / "s"), [&](std::unique_ptr<weir::state_store> old) {
    old.reset();
    return std::make_unique<rocksdb_store>(folder / "s");
  });
}

TEST_CASE("state outlives a hundred openings and many erased prefixes", "[rocksdb][state]") {
  test::temporary_folder folder;
  for (std::uint64_t n = 1; n <= 100; ++n) {
    rocksdb_store store(folder / "s");
    std::vector<state_change> changes{state_change::erase_prefix("dedup", "bucket " + std::to_string(n - 1) + "/")};
    for (int i = 0; i < 50; ++i) changes.push_back(put("dedup", "bucket " + std::to_string(n) + "/" + std::to_string(i), "x"));
    testing::run(store.commit(key, checkpoint_update(head(n, position(n)), changes)));
  }
  auto const found = load(folder / "s").value();
  CHECK(found.head == head(100, position(100)));
  CHECK(found.entries.size() == 50);
  CHECK(std::all_of(found.entries.begin(), found.entries.end(), [](state_entry const& e) { return e.key.starts_with("bucket 100/"); }));
}

TEST_CASE("a folder has one owner at a time", "[rocksdb][state]") {
  test::temporary_folder folder;
  {
    rocksdb_store store(folder / "s");
    fails_with(
        errc::busy, [&] { rocksdb_store other(folder / "s"); }, "rocksdb: cannot open the database (" + (folder / "s").string(),
        "another process or store has it open");
    testing::run(store.commit(key, first));
  }
  CHECK(load(folder / "s") == stored);
}

TEST_CASE("a row that does not match its checksum is an error and not a wrong restart", "[rocksdb][state]") {
  test::temporary_folder folder;
  checkpoint_key const other("bars", "ticks", "shard-2");
  commit(folder / "s", key, first);
  commit(folder / "s", other, first);
  bool const in_head = GENERATE(true, false);
  std::size_t const flipped = GENERATE(std::size_t(0), std::size_t(7), std::size_t(8), std::size_t(11));
  int const how = GENERATE(0, 1, 2);  // a bit of the value; the value cut short; the row under another key
  INFO((in_head ? "head, " : "entry, ") << flipped << ", " << how);
  {
    auto const db = foreign(folder / "s");  // what RocksDB's own checksums cannot see
    std::unique_ptr<::rocksdb::Iterator> const at(db->NewIterator({}));
    at->Seek(in_head ? "c" : "s");
    std::string const row = at->key().ToString();
    std::string value = at->value().ToString();
    if (how == 0) value[flipped] = static_cast<char>(value[flipped] ^ 1);
    if (how == 1) value.resize(flipped);
    std::string const to = how == 2 ? row.substr(0, row.size() - (in_head ? 3 : 1)) + (in_head ? std::string("3\0\1", 3) : "c") : row;
    REQUIRE(db->Delete({}, row).ok());
    REQUIRE(db->Put({}, to, value).ok());
  }
  checkpoint_key const found = in_head && how == 2 ? checkpoint_key("bars", "ticks", "shard-3") : key;
  rocksdb_store store(folder / "s");
  fails_with(
      errc::corrupt, [&] { testing::run(store.load(found)); }, "checkpoint: cannot load (stream ticks, partition " + found.partition,
      "pipeline bars", (folder / "s").string(), "does not match its checksum");
  fails_with(errc::corrupt, [&] { testing::run(store.list("bars")); }, "does not match its checksum");
  if (in_head) fails_with(errc::corrupt, [&] { testing::run(store.commit(found, checkpoint_update(head(2, position(20))))); });
  CHECK(testing::run(store.load(other)) == stored);
  testing::run(store.erase(found));
  CHECK(testing::run(store.load(found)) == std::nullopt);
  testing::run(store.commit(found, first));
  CHECK(testing::run(store.load(found)) == stored);
}

TEST_CASE("state of a later version is refused and left alone", "[rocksdb][state]") {
  test::temporary_folder folder;
  commit(folder / "s", key, first);
  std::string const ours = folder.read("s/WEIR");
  folder.write("s/WEIR", "weir state 2\nwhatever that one needs\n");
  fails_with(
      errc::incompatible, [&] { rocksdb_store store(folder / "s"); }, "checkpoint: cannot use the folder", (folder / "s").string(),
      "later version of Weir", "version 2", "knows 1");
  folder.write("s/WEIR", ours);
  CHECK(load(folder / "s") == stored);
}

TEST_CASE("a database of another program is refused and left alone", "[rocksdb][state]") {
  test::temporary_folder folder;
  SECTION("one of RocksDB") {
    REQUIRE(foreign(folder / "s")->Put({}, "name", "value").ok());
    fails_with(errc::incompatible, [&] { rocksdb_store store(folder / "s"); }, "another program", "another folder");
    std::string value;
    REQUIRE(foreign(folder / "s")->Get({}, "name", &value).ok());
    CHECK(value == "value");
  }
  SECTION("files that are no database") {
    std::filesystem::create_directory(folder / "s");
    folder.write("s/notes.txt", "mine");
    fails_with(errc::incompatible, [&] { rocksdb_store store(folder / "s"); }, "files of something else", "notes.txt");
    CHECK(std::distance(std::filesystem::directory_iterator(folder / "s"), std::filesystem::directory_iterator()) == 1);
  }
}

TEST_CASE("a folder that cannot be one is refused with the reason", "[rocksdb][state]") {
  test::temporary_folder folder;
  fails_with(errc::invalid_option, [] { rocksdb_store store(""); }, "no folder is named");
  fails_with(errc::not_found, [&] { rocksdb_store store(folder / "no" / "s"); }, (folder / "no" / "s").string(), "make it");
  std::ofstream(folder / "file") << "text";
  fails_with(errc::io, [&] { rocksdb_store store(folder / "file"); }, "not a folder");
  fails_with(errc::io, [&] { rocksdb_store store(folder / "file" / "s"); }, "Not a directory");
}

TEST_CASE("a folder that was deleted or replaced under the store is noticed", "[rocksdb][state]") {
  test::temporary_folder folder;
  rocksdb_store store(folder / "s");
  testing::run(store.commit(key, first));
  std::filesystem::rename(folder / "s", folder / "t");
  checkpoint_update const second(head(2, position(20)));
  fails_with(errc::io, [&] { testing::run(store.commit(key, second)); }, "moved or deleted", (folder / "s").string());
  fails_with(errc::io, [&] { testing::run(store.commit(key, second)); }, "moved or deleted");
  CHECK_FALSE(std::filesystem::exists(folder / "s"));
  std::filesystem::rename(folder / "t", folder / "s");
  testing::run(store.commit(key, second));
}

TEST_CASE("a commit that was never awaited writes nothing", "[rocksdb][state]") {
  test::temporary_folder folder;
  rocksdb_store store(folder / "s");
  { auto const dropped = store.commit(key, first); }
  CHECK(testing::run(store.load(key)) == std::nullopt);
}
