#include <weir/error.hpp>
#include <weir/rocksdb/state_store.hpp>
#include <weir/testing/run.hpp>

#include "conformance/versioned_state.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace weir;
using test::checkpoint_at;
using test::fails_with;
using test::update_to;

namespace {

using rocksdb_store = weir::rocksdb::state_store;  // RocksDB's own namespace has the same name

checkpoint_key const key("bars", "ticks", "shard-1");

// A process of its own: RocksDB's threads do not survive a fork. It runs the hidden test below.
class writer {
public:
  explicit writer(std::filesystem::path const& folder) {
    int pipe[2] = {};
    REQUIRE(::pipe(pipe) == 0);
    std::string const where = "WEIR_CRASH_FOLDER=" + folder.string(), out = "WEIR_CRASH_OUT=" + std::to_string(pipe[1]);
    char const* const arguments[] = {"rocksdb_tests", "[rocksdb-writer]", nullptr};
    char const* const environment[] = {where.c_str(), out.c_str(), nullptr};
    child_ = ::fork();
    REQUIRE(child_ >= 0);
    if (child_ == 0) {
      ::close(pipe[0]);
      ::close(1);
      ::execve("/proc/self/exe", const_cast<char* const*>(arguments), const_cast<char* const*>(environment));
      ::_exit(127);
    }
    ::close(pipe[1]);
    in_ = pipe[0];
  }
  writer(writer const&) = delete;
  writer& operator=(writer const&) = delete;
  ~writer() {
    if (child_ > 0) end();
  }
  // What it has committed since the last time; false: it has ended.
  bool next(std::uint64_t& version) const { return ::read(in_, &version, sizeof version) == sizeof version; }
  int end() {
    ::kill(child_, SIGKILL);
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return status;
  }
  void close() const { ::close(in_); }

private:
  pid_t child_ = -1;
  int in_ = -1;
};

}  // namespace

TEST_CASE("(of the crash tests) commits for ever, and says so after each one that returned", "[.][rocksdb-writer]") {
  char const* const folder = std::getenv("WEIR_CRASH_FOLDER");
  char const* const out = std::getenv("WEIR_CRASH_OUT");
  REQUIRE(folder);
  REQUIRE(out);
  rocksdb_store store(folder);
  auto const found = testing::run(store.load(key));
  for (std::uint64_t n = found ? found->head.version + 1 : 1;; ++n) {
    testing::run(store.commit(key, update_to(n)));
    if (::write(std::atoi(out), &n, sizeof n) != sizeof n) break;
  }
}

TEST_CASE("after kill -9 the last checkpoint whose commit returned is there, whole", "[rocksdb][state][crash]") {
  test::temporary_folder folder;
  std::uint64_t stored = 0;
  for (int round = 0; round < 40; ++round) {
    INFO("round " << round << ", from " << stored);
    writer child(folder / "s");
    // It is killed while it opens the folder for the first time (round 0), or somewhere in the commit after so many.
    std::uint64_t said = stored;
    for (int i = 0; i < round % 13 * 3; ++i) REQUIRE(child.next(said));
    int const status = child.end();
    for (std::uint64_t n = 0; child.next(n);) said = n;
    child.close();
    REQUIRE(WIFSIGNALED(status));

    rocksdb_store store(folder / "s");
    auto const found = testing::run(store.load(key));
    std::uint64_t const at = found ? found->head.version : 0;
    CHECK(at >= said);
    CHECK(at <= said + 1);  // committed, but not said any more
    if (found) CHECK(*found == checkpoint_at(at));
    stored = at;
  }
  CHECK(stored >= 702);  // 3 * (0 + 1 + ... + 12) three times
}

TEST_CASE("a folder that another process has is busy until that one has ended", "[rocksdb][state]") {
  test::temporary_folder folder;
  writer child(folder / "s");
  std::uint64_t said = 0;
  REQUIRE(child.next(said));
  fails_with(errc::busy, [&] { rocksdb_store store(folder / "s"); }, "another process or store has it open");
  child.end();
  rocksdb_store store(folder / "s");
  auto const found = testing::run(store.load(key)).value();
  CHECK(found == checkpoint_at(found.head.version));
}
