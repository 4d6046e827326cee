// Workers that share an event hub by blobs, in virtual time, over blobs, a hub and a store in memory.
#include "shared_hub.hpp"

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::http_answer;
using test::http_server;
using test::shared_hub;
using shares = std::map<std::string, int>;

TEST_CASE("a worker alone takes all partitions of a hub, and gives them back with their checkpoints when it ends", "[eventhubs][sharing]") {
  shared_hub w(4);
  w.put(5);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    bool const done = co_await w.wait_for_all(10s);
    CHECK(done);
    CHECK(w.shares() == shares{{"w0", 4}});
  });
  CHECK(w.wrong() == "");
  CHECK(w.shares() == shares{{"", 4}});
  for (char const* const id : {"0", "1", "2", "3"}) {
    auto const at = w.blobs->checkpoints.at(id);
    REQUIRE(at);
    CHECK(at->offset == "at 4");  // where other clients go on
    CHECK(at->sequence_number == 4);
  }
  CHECK_FALSE(w.workers[0]->failure);
  CHECK(w.hub.live == 0);
}

TEST_CASE("what is committed is in the blob soon after, and not more often than the options say", "[eventhubs][sharing]") {
  shared_hub w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    for (int i = 0; i != 120; ++i) {
      w.put(1);
      co_await sleep_for(500ms);
    }
    co_await sleep_for(8s);
    auto const at = w.blobs->checkpoints.at("0");
    REQUIRE(at);
    CHECK(at->sequence_number == 119);
    CHECK(w.blobs->checkpoints.writes >= 9);
    CHECK(w.blobs->checkpoints.writes <= 15);
    shared_hub::kill(one);
  });
  CHECK(w.shares() == shares{{"w0", 1}});
}

TEST_CASE("a worker that joins takes its share, and nothing is lost or done twice, nor does anybody fail", "[eventhubs][sharing]") {
  shared_hub w(4);
  w.put(5);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    co_await sleep_for(10s);
    auto& second = w.start(scope);
    for (int i = 0; i != 60; ++i) {
      w.put(1);
      co_await sleep_for(1s);
    }
    CHECK(w.shares() == shares{{"w0", 2}, {"w1", 2}});
    bool const done = co_await w.wait_for_all(10s);
    CHECK(done);
    CHECK(second.handled.size() == 2);
    CHECK(w.log.count("another receiver has the partition") == 2);  // it hears of it by its links, before it looks
  });
  CHECK(w.wrong() == "");
  CHECK(w.store->zombies == 0);
  for (auto const& one : w.workers) CHECK_FALSE(one->failure);
  CHECK(w.log.count("halted") == 0);
}

TEST_CASE("partitions that are added to a shared hub are read from their first event on, and shared like the others",
          "[eventhubs][sharing]") {
  shared_hub w(2);
  w.change = [](eventhubs::options& o) { o.discover = 30s; };
  w.put(5);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    w.start(scope);
    CHECK(co_await w.wait_for_all(2min));
    w.grow(4);
    for (std::size_t const added : {2U, 3U}) w.put(added, 6);
    CHECK(co_await w.wait_for_all(2min));
    w.put(3);
    CHECK(co_await w.wait_for_all(2min));
    CHECK(w.shares() == shares{{"w0", 2}, {"w1", 2}});
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a worker that ends leaves its partitions to the others at once", "[eventhubs][sharing]") {
  shared_hub w(4);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    w.start(scope);
    co_await sleep_for(30s);
    CHECK(w.shares() == shares{{"w0", 2}, {"w1", 2}});
    w.put(20);
    shared_hub::end(first);
    co_await sleep_for(2s);
    CHECK(first.over);
    CHECK(w.shares() == shares{{"", 2}, {"w1", 2}});
    bool const done = co_await w.wait_for_all(11s);
    CHECK(done);
    CHECK(w.shares() == shares{{"w1", 4}});
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("what a dead worker had is taken when it has run out, and effects are there once", "[eventhubs][sharing]") {
  shared_hub w(4);
  w.put(10);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    w.start(scope);
    co_await sleep_for(30s);
    w.put(20);
    co_await sleep_for(20ms);
    shared_hub::kill(first);
    w.put(5);
    co_await sleep_for(40s);
    CHECK(w.shares() == shares{{"w0", 2}, {"w1", 2}});
    bool const done = co_await w.wait_for_all(40s);
    CHECK(done);
    CHECK(w.shares() == shares{{"w1", 4}});
  });
  CHECK(w.wrong() == "");
  CHECK(w.store->zombies == 0);
}

TEST_CASE("a worker that cannot reach the blobs stops by itself, and comes back", "[eventhubs][sharing]") {
  for (bool const forbidden : {false, true}) {
    CAPTURE(forbidden);
    shared_hub w(1);
    w.play([&](async_scope& scope) -> task<> {
      auto& first = w.start(scope);
      co_await sleep_for(5s);
      (forbidden ? first.way->forbidden : first.way->cut) = true;
      co_await sleep_for(62s);
      CHECK(w.log.count("it could not be renewed in time") == 1);
      CHECK(w.log.count(forbidden ? "AuthorizationPermissionMismatch" : "the connection was closed") > 0);
      w.put(2);
      co_await sleep_for(1min);
      CHECK(w.rows.rows().empty());
      first.way->forbidden = first.way->cut = false;
      bool const done = co_await w.wait_for_all(1min);
      CHECK(done);
    });
    CHECK(w.wrong() == "");
    CHECK_FALSE(w.workers[0]->failure);
  }
}

TEST_CASE("a commit that comes after another worker has taken the partition is refused, however late", "[eventhubs][sharing]") {
  shared_hub w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    co_await sleep_for(5s);
    first.store->longest = 100s;  // it begins while the partition is held
    w.put(1);
    co_await sleep_for(2s);
    first.way->cut = true;
    auto& second = w.start(scope);
    second.on_record = [&w](eventhubs::record const&) -> task<> {
      if (w.now() < 1'704'067'200'000'000'000 + 150'000'000'000) co_await sleep_for(2min);
    };
    co_await sleep_for(110s);
    CHECK(second.handled.size() == 1);
    CHECK(w.rows.rows().empty());
    bool const done = co_await w.wait_for_all(5min);
    CHECK(done);
    CHECK(w.log.count("halted") == 0);
    CHECK_FALSE(second.failure);
  });
  CHECK(w.wrong() == "");
  CHECK(w.store->zombies == 0);
}

TEST_CASE("a partition that was taken and comes back waits until the former reading has ended", "[eventhubs][sharing]") {
  shared_hub w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    co_await sleep_for(5s);
    one.store->longest = 100s;
    w.put(1);
    co_await sleep_for(2s);
    w.blobs->owners.put("0", "other", w.now());
    while (w.log.count("a partition is lost") == 0) co_await sleep_for(100ms);
    w.blobs->owners.put("0", "", w.now());  // and the commit of before is still on its way
    one.store->longest = 0s;
    co_await sleep_for(30s);
    CHECK(w.log.count("a partition was claimed") == 2);
    CHECK(w.rows.rows().empty());
    bool const done = co_await w.wait_for_all(2min);
    CHECK(done);
    CHECK(w.log.count("halted") == 0);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a partition whose handler fails is left to others, and its blob with it", "[eventhubs][sharing]") {
  shared_hub w(2);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    first.on_record = [](eventhubs::record const& r) -> task<> {
      if (r.partition() == "0") throw std::runtime_error("a broken disk");
      co_return;
    };
    co_await sleep_for(5s);
    auto& second = w.start(scope);
    w.put(2);
    bool const done = co_await w.wait_for_all(3min);
    CHECK(done);
    CHECK(w.log.count("a partition is given back") >= 1);
    CHECK(second.handled["0"] > 0);
  });
  CHECK(w.wrong() == "");
  CHECK(w.workers[0]->failure);  // and says so in the end
}

TEST_CASE("a partition that a receiver outside of the group's processors takes is given back, and tried again after longer and longer",
          "[eventhubs][sharing]") {
  shared_hub w(2);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    co_await sleep_for(5s);
    w.hub.steal(0);
    w.put(3);
    co_await sleep_for(1s);
    CHECK(w.shares() == shares{{"", 1}, {"w0", 1}});
    CHECK(w.log.count("another receiver has the partition") == 1);
    w.hub.refuse_links = "amqp:link:stolen";
    co_await sleep_for(5min);
    auto const tries = w.log.count("another receiver has the partition");
    CHECK(tries >= 4);
    CHECK(tries <= 7);
    w.hub.refuse_links.clear();
    bool const done = co_await w.wait_for_all(6min);
    CHECK(done);
  });
  CHECK(w.wrong() == "");
  CHECK_FALSE(w.workers[0]->failure);
}

TEST_CASE("a partition without a checkpoint of its own begins where the blob says, by number or by offset alone", "[eventhubs][sharing]") {
  for (bool const by_number : {true, false}) {
    CAPTURE(by_number);
    shared_hub w(2);
    w.put(10);
    w.blobs->checkpoints.put("0", "at 6", by_number ? std::optional<std::int64_t>(6) : std::nullopt);
    w.play([&](async_scope& scope) -> task<> {
      w.start(scope);
      co_await sleep_for(5s);
    });
    auto const all = w.rows.rows();
    CHECK(all.size() == 13);
    CHECK(std::ranges::count(all, "0 6") == 0);
    CHECK(std::ranges::count(all, "0 7") == 1);
    CHECK(std::ranges::count(all, "1 0") == 1);
    CHECK(w.log.count("has no checkpoint yet") == 1);
    CHECK(w.blobs->checkpoints.at("0")->sequence_number == 9);
  }
}

namespace {

// Another client has the partition for a while, reads up to that event, and gives it back.
task<> lend_to_others(shared_hub& w, std::string offset, std::int64_t number) {
  w.blobs->owners.put("0", "js", w.now());
  w.hub.steal(0);
  co_await sleep_for(2s);
  w.put(0, 10);
  w.blobs->checkpoints.put("0", std::move(offset), number);
  w.blobs->owners.put("0", "", w.now());
}

}  // namespace

TEST_CASE("where another client has read between, a pipeline without state goes on behind it, and says so", "[eventhubs][sharing]") {
  shared_hub w(1);
  w.put(5);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    co_await sleep_for(15s);
    CHECK(w.rows.rows().size() == 5);
    task<> lending = lend_to_others(w, "at 11", 11);
    co_await std::move(lending);
    co_await sleep_for(1min);
    CHECK(w.log.count("warning: event hubs: others have read between (stream ticks, partition 0") == 1);
  });
  auto const all = w.rows.rows();
  REQUIRE(all.size() == 8);
  CHECK(all[4] == "0 4");
  CHECK(all[5] == "0 12");
  CHECK(w.blobs->checkpoints.at("0")->sequence_number == 14);
}

TEST_CASE("a hub read from the latest begins at one place, whoever has its partitions", "[eventhubs][sharing]") {
  shared_hub w(2);
  w.hub.add(0, 5);
  w.hub.add(1, 1);
  w.change = [](eventhubs::options& o) { o.start = eventhubs::from_latest{}; };
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    first.on_record = [](eventhubs::record const&) -> task<> { co_await sleep_for(24h); };  // nothing is ever committed by it
    co_await sleep_for(5s);
    w.hub.add(0, 3);
    w.hub.add(1, 2);
    co_await sleep_for(5s);
    shared_hub::kill(first);
    co_await sleep_for(5s);
    w.hub.add(0, 1);
    w.start(scope);
    co_await sleep_for(2min);
  });
  auto all = w.rows.rows();
  std::ranges::sort(all);
  CHECK(all == std::vector<std::string>{"0 5", "0 6", "0 7", "0 8", "1 1", "1 2"});
}

TEST_CASE("a checkpoint's blob that cannot be written holds nothing up for long, and is told of", "[eventhubs][sharing]") {
  shared_hub w(1);
  w.put(3);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    one.way->longer = 1h;
    co_await sleep_for(12s);
    CHECK(w.rows.rows().size() == 3);
    shared_hub::end(one);
    co_await sleep_for(25s);
    CHECK(one.over);
    CHECK(w.log.count("given back without its checkpoint in a blob") == 1);
  });
  CHECK(w.shares() == shares{{"", 1}});
}

TEST_CASE("a checkpoint's blob that may not be written is told of, and the pipeline goes on by its store", "[eventhubs][sharing]") {
  shared_hub w(1);
  w.put(3);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    one.way->read_only = true;
    for (int i = 0; i != 120; ++i) {
      w.put(1);
      co_await sleep_for(1s);
    }
    CHECK(w.rows.rows().size() >= 120);
    CHECK(w.log.count("writing a checkpoint's blob is held up (failed 4 times in a row)") == 1);
    CHECK(w.log.count("status 403, AuthorizationPermissionMismatch") >= 1);
    shared_hub::end(one);
    co_await sleep_for(25s);
    CHECK(one.over);
    CHECK_FALSE(one.failure);
    CHECK(w.log.count("given back without its checkpoint in a blob") == 1);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a container that is not there, or may not be read, ends the pipeline with a clear error", "[eventhubs][sharing]") {
  struct {
    unsigned status;
    char const* code;
    errc expected;
    char const* advice;
  } const table[] = {
      {403, "AuthorizationPermissionMismatch", errc::access_denied, "Storage Blob Data Contributor"},
      {403, "AuthenticationFailed", errc::access_denied, "clock"},
      {404, "ContainerNotFound", errc::not_found, "create the container"},
  };
  for (auto const& row : table) {
    CAPTURE(row.code);
    http_server const server({http_answer::of(
        row.status, "<?xml version=\"1.0\"?><Error><Code>" + std::string(row.code) + "</Code><Message>no</Message></Error>")});
    shared_hub w(1);
    w.change = [&](eventhubs::options& o) {
      o.sharing->ownership = nullptr;
      o.sharing->checkpoints = nullptr;
      o.sharing->blobs.url = server.url("/acct/box");
    };
    w.play([&](async_scope& scope) -> task<> {
      auto& one = w.start(scope);
      while (!one.over) co_await sleep_for(100ms);
      auto const failure = one.failure;
      test::fails_with(
          row.expected,
          [&] {
            if (failure) std::rethrow_exception(failure);
          },
          "azure: List Blobs failed", "stream ticks", row.code, row.advice);
    });
    REQUIRE(server.seen().size() == 1);
    CHECK(server.seen()[0].target.find("prefix=ns.example%2Fticks%2F%24default%2Fownership%2F") != std::string::npos);
  }
}

TEST_CASE("options by which partitions cannot be shared are refused when the source is made", "[eventhubs][sharing]") {
  auto const refused = [](char const* why, auto change) {
    eventhubs::options o;
    o.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key;EntityPath=ticks";
    o.sharing.emplace();
    o.sharing->blobs.url = "https://acct.blob.core.windows.net/box";
    change(*o.sharing);
    test::fails_with(errc::invalid_option, [&] { eventhubs::source const made(o); }, why);
  };
  refused("no container is given", [](auto& s) { s.blobs.url.clear(); });
  refused("has no path", [](auto& s) { s.blobs.url = "https://acct.blob.core.windows.net"; });
  refused("checkpoint_every is not above zero", [](auto& s) { s.checkpoint_every = 0s; });
  refused("visible ASCII", [](auto& s) { s.consumer = "a b"; });
  refused("less than two intervals", [](auto& s) { s.how.expiry = 15s; });
}
