#include <weir/error.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/temporary_folder.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

using namespace weir;
using test::fails_with;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");

// State that tells its position, of a size that spans several pages and changes; three in four entries are those of commits before.
std::vector<std::byte> value_of(std::uint64_t n) {
  std::vector<std::byte> out(100 + n % 7 * 3000);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(n * 31 + i);
  return out;
}
std::string key_of(std::uint64_t n) { return std::to_string(n % 4); }
checkpoint_head head_of(std::uint64_t n) { return {position(n), static_cast<instant>(n), n, "run"}; }
saved_checkpoint checkpoint_at(std::uint64_t n) {
  std::vector<state_entry> entries;
  for (std::uint64_t i = n; i != 0 && i + 4 > n; --i) entries.emplace_back("window", key_of(i), value_of(i));
  std::sort(entries.begin(), entries.end(), [](auto const& a, auto const& b) { return a.key < b.key; });
  return saved_checkpoint(head_of(n), std::move(entries));
}
checkpoint_update update_to(std::uint64_t n) {
  return checkpoint_update(head_of(n), {state_change::put("window", key_of(n), value_of(n))});
}

// In the child: commits for ever, and says so after each one that returned.
[[noreturn]] void commit_for_ever(std::filesystem::path const& file, std::uint64_t from, int out) {
  try {
    sqlite::state_store store(file);
    for (std::uint64_t n = from;; ++n) {
      testing::run(store.commit(key, update_to(n)));
      if (::write(out, &n, sizeof n) != sizeof n) ::_exit(0);
    }
  } catch (std::exception const& e) {
    static_cast<void>(::write(2, e.what(), std::strlen(e.what())));
  }
  ::_exit(1);
}

}  // namespace

TEST_CASE("after kill -9 the last checkpoint whose commit returned is there, whole", "[sqlite][checkpoint][crash]") {
  test::temporary_folder folder;
  auto const file = folder / "c";
  std::uint64_t stored = 0;
  for (int round = 0; round < 12; ++round) {
    INFO("round " << round << ", from " << stored);
    int pipe[2] = {};
    REQUIRE(::pipe(pipe) == 0);
    std::cout.flush();  // what it holds would be written by the child too
    pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(pipe[0]);
      commit_for_ever(file, stored + 1, pipe[1]);
    }
    ::close(pipe[1]);
    // The child is killed while it opens the file (round 0), or somewhere in the commit after so many.
    std::uint64_t said = stored;
    for (int i = 0; i < round * 5; ++i) REQUIRE(::read(pipe[0], &said, sizeof said) == sizeof said);
    REQUIRE(::kill(child, SIGKILL) == 0);
    for (std::uint64_t n = 0; ::read(pipe[0], &n, sizeof n) == sizeof n;) said = n;
    ::close(pipe[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));

    sqlite::state_store store(file);
    auto const found = testing::run(store.load(key));
    std::uint64_t const at = found ? found->head.position.offset() : 0;
    CHECK(at >= said);
    CHECK(at <= said + 1);  // committed, but not said any more
    if (found) CHECK(*found == checkpoint_at(at));
    stored = at;
  }
  CHECK(stored >= 330);  // 5 * (1 + 2 + ... + 11)
}

TEST_CASE("on a full disk a commit fails with the reason, and the checkpoint before is intact", "[sqlite][checkpoint]") {
  test::small_disk disk(600);
  if (!disk.works() && test::skip("needs the right to mount a small disk")) return;
  auto const file = disk / "c";
  std::ofstream(disk / "something else") << std::string(150'000, 'x');
  std::uint64_t last = 0;
  {
    sqlite::state_store store(file);
    bool full = false;
    for (std::uint64_t n = 1; n != 1000 && !full; ++n) {
      try {
        testing::run(store.commit(
            key, checkpoint_update(head_of(n), {state_change::put("window", "all", std::vector<std::byte>(n * 10'000, std::byte(1)))})));
        last = n;
      } catch (error const& e) {
        INFO(e.what());
        CHECK(e.code() == errc::no_space);
        CHECK(std::string(e.what()).find(file.string()) != std::string::npos);
        CHECK(std::string(e.what()).find("make room on the disk") != std::string::npos);
        full = true;
      }
    }
    REQUIRE(full);
    REQUIRE(last > 0);
    auto const found = testing::run(store.load(key)).value();
    CHECK(found.head == head_of(last));
    REQUIRE(found.entries.size() == 1);
    CHECK(found.entries[0].value.size() == last * 10'000);
    std::filesystem::remove(disk / "something else");
    testing::run(store.commit(key, checkpoint_update(head_of(last + 1), {state_change::erase("window", "all")})));
  }
  sqlite::state_store store(file);
  CHECK(testing::run(store.load(key)) == saved_checkpoint(head_of(last + 1)));
}

TEST_CASE("on a disk without any room the store says so when it is opened", "[sqlite][checkpoint]") {
  test::small_disk disk(8);
  if (!disk.works() && test::skip("needs the right to mount a small disk")) return;
  fails_with(errc::no_space, [&] { sqlite::state_store store(disk / "c"); }, "sqlite: ", (disk / "c").string());
}

TEST_CASE("a store on a read-only disk is refused when it is opened", "[sqlite][checkpoint]") {
  test::small_disk disk(1000);
  if (!disk.works() && test::skip("needs the right to mount a small disk")) return;
  { sqlite::state_store store(disk / "c"); }
  disk.make_read_only();
  fails_with(errc::access_denied, [&] { sqlite::state_store store(disk / "c"); }, (disk / "c").string());
  fails_with(errc::access_denied, [&] { sqlite::state_store store(disk / "d"); }, (disk / "d").string());
}
