#include <weir/redis/state_store.hpp>

#include "conformance/state_store_conformance.hpp"
#include "conformance/versioned_state.hpp"
#include "redis_server.hpp"
#include "support/skip.hpp"

#include <atomic>
#include <random>
#include <thread>

using namespace weir;
using namespace std::chrono_literals;
using test::checkpoint_at;
using test::fails_with;
using test::update_to;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");

bool no_redis() { return !test::has_redis() && test::skip("needs the program redis-server"); }

std::vector<std::string> const durable{"--appendonly", "yes", "--appendfsync", "always"};

// Kills the server and starts it, again and again until it is told to end; mostly when it has been asked something since the last time, so
// that a slow machine gets on too.
class killer {
public:
  explicit killer(test::redis_server& server)
      : thread_([this, &server] {
          std::mt19937 dice(7);
          while (!ending_) {
            for (int const before = calls_; kills_ % 4 != 0 && calls_ == before && !ending_;) std::this_thread::sleep_for(1ms);
            std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, 40'000)(dice)));
            server.kill();
            server.launch();
            if (++kills_ % 4 != 0) ready_ = ready_ && server.wait_until_ready();  // now and then it is killed while it loads
          }
          ready_ = ready_ && server.wait_until_ready();
          ended_ = true;
          ended_.notify_all();
          leave_.wait(false);  // the server ends with the thread that started it
        }) {}
  killer(killer const&) = delete;
  killer& operator=(killer const&) = delete;
  ~killer() {
    end();
    leave_ = true;
    leave_.notify_all();
    thread_.join();
  }
  void end() {
    ending_ = true;
    ended_.wait(false);
  }
  void called() { ++calls_; }
  int kills() const { return kills_; }
  bool always_came_back() const { return ready_; }

private:
  std::atomic<int> kills_ = 0, calls_ = 0;
  std::atomic<bool> ready_ = true, ending_ = false, ended_ = false, leave_ = false;
  std::thread thread_;
};

}  // namespace

TEST_CASE("commits go on through kill -9 of the server, each exactly once", "[redis][state][crash]") {
  if (no_redis()) return;
  test::redis_server server(durable);
  redis::state_store store(server.options());
  std::uint64_t n = 0;
  {
    killer kills(server);
    while (n < 100 || kills.kills() < 20) {
      ++n;
      INFO("version " << n);
      testing::run(store.commit(key, update_to(n)));  // refused as stale if one that had returned were lost, or one were there twice
      kills.called();
      if (n % 8 == 0) {
        auto const found = testing::run(store.load(key));
        CHECK((found == checkpoint_at(n)));
      }
    }
    kills.end();
    CHECK(kills.always_came_back());
    CHECK((testing::run(store.load(key)) == checkpoint_at(n)));
  }
}

TEST_CASE("a commit that failed by kill -9 of the server is there whole or not at all", "[redis][state][crash]") {
  if (no_redis()) return;
  test::redis_server server(durable);
  auto impatient = server.options();
  impatient.patience = 0ms;
  redis::state_store store(impatient), patient(server.options());
  killer kills(server);
  std::uint64_t n = 0;
  for (int failed = 0; failed < 20;) {
    INFO("version " << n + 1);
    kills.called();
    try {
      testing::run(store.commit(key, update_to(n + 1)));
      ++n;
    } catch (error const& e) {
      INFO(e.what());
      CHECK(e.code() == errc::unavailable);
      ++failed;
      auto const found = testing::run(patient.load(key));
      std::uint64_t const at = found ? found->head.version : 0;
      CHECK((at == n || at == n + 1));
      if (found) CHECK((*found == checkpoint_at(at)));
      n = at;
    }
  }
  kills.end();
  CHECK(kills.always_came_back());
}

TEST_CASE("without a durable server whole commits are lost, and a pipeline that runs is refused", "[redis][state][crash]") {
  if (no_redis()) return;
  test::redis_server server;
  redis::state_store store(server.options());
  testing::run(store.commit(key, update_to(1)));
  server({"SAVE"});
  testing::run(store.commit(key, update_to(2)));
  testing::run(store.commit(key, update_to(3)));
  server.kill();
  server.start();
  fails_with(errc::stale, [&] { testing::run(store.commit(key, update_to(4))); }, "the store has version 1");
  CHECK((testing::run(store.load(key)) == checkpoint_at(1)));
  testing::run(store.commit(key, update_to(2)));
}

TEST_CASE("a flipped byte in the append-only file is refused, or loses whole commits from the end", "[redis][state][crash]") {
  if (no_redis()) return;
  test::redis_server server(durable);
  auto where = server.options();
  where.patience = 1min;
  for (std::uint64_t n = 1; n <= 12; ++n) {
    redis::state_store store(where);
    testing::run(store.commit(key, update_to(n)));
  }
  server.kill();
  std::string const file = "appendonlydir/appendonly.aof.1.incr.aof";
  std::string const sound = server.folder().read(file);
  REQUIRE(sound.size() > 100'000);
  int refused = 0, lost = 0, whole = 0;
  for (std::size_t i = 0; i != 40; ++i) {
    std::size_t const at = sound.size() / 40 * i + i * 7 % 100;
    INFO("byte " << at << " of " << sound.size());
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    server.folder().write(file, damaged);
    server.launch();
    if (!server.wait_until_ready()) {
      ++refused;
      continue;
    }
    try {
      redis::state_store store(where);
      auto const found = testing::run(store.load(key));
      std::uint64_t const version = found ? found->head.version : 0;
      if (found) CHECK((*found == checkpoint_at(version)));
      ++(version == 12 ? whole : lost);
    } catch (error const& e) {
      INFO(e.what());
      CHECK((e.code() == errc::corrupt || e.code() == errc::incompatible));
      ++refused;
    }
    server.kill();
  }
  CHECK(refused + lost + whole == 40);
  CHECK(refused > 0);
}
