// What suffers from faults: the sinks, the source and the store.
#include <weir/testing/fault_script.hpp>

#include <weir/memory_state_store.hpp>
#include <weir/testing/appending_sink.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/faulty_store.hpp>
#include <weir/testing/idempotent_sink.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using testing::appending_sink;
using testing::fault;
using testing::fault_script;
using testing::faulty_source;
using testing::faulty_store;
using testing::idempotent_sink;
using testing::simulation;

namespace {

using lines = std::vector<std::string>;

// What becomes of it: "ok", or the message. A crash is thrown.
std::string ending(simulation& world, task<> work) {
  try {
    world.run(std::move(work));
    return "ok";
  } catch (error const& e) {
    return e.what();
  }
}

checkpoint_key const key("p", "s", "0");
checkpoint_update up_to(std::uint64_t at, std::uint64_t version) {
  return checkpoint_update(checkpoint_head(position(at), 0, version, "w"));
}
std::optional<std::uint64_t> stored(state_store& store) {
  std::optional<saved_checkpoint> const found = testing::run(store.load(key));
  if (!found) return std::nullopt;
  return found->head.position.offset();
}

}  // namespace

TEST_CASE("a write that fails is not there, one whose answer is lost is", "[framework][faults]") {
  simulation world;
  lines told;
  fault_script faults("write");
  faults.at(1, fault::fail).at(2, fault::lost_ack).tell([&](std::string what) { told.push_back(std::move(what)); });
  appending_sink sink(faults);
  CHECK(ending(world, sink.write("a")) == "testing: write 1 failed: the test wants it to");
  CHECK(ending(world, sink.write("b")) == "testing: write 2 was not answered: it is done, but the test wants the answer to be lost");
  CHECK(ending(world, sink.write("c")) == "ok");
  CHECK(sink.contents() == lines{"b", "c"});
  CHECK(faults.calls() == 3);
  CHECK(told == lines{"write 1: failed", "write 2: b", "write 2: the answer is lost", "write 3: c"});
}

TEST_CASE("faults are errors worth another try", "[framework][faults]") {
  for (fault const f : {fault::fail, fault::lost_ack}) {
    appending_sink sink(fault_script("write").at(1, f));
    try {
      testing::run(sink.write("a"));
      FAIL("nothing was thrown");
    } catch (error const& e) {
      CHECK(e.code() == condition::retryable);
    }
  }
}

TEST_CASE("a delayed write is there later, a doubled one twice where the sink appends", "[framework][faults]") {
  simulation world;
  instant const began = world.clock().now();
  fault_script faults("write");
  faults.at(1, fault::delay).at(2, fault::duplicate).delay(3s);
  appending_sink list(faults);
  CHECK(ending(world, list.write("a")) == "ok");
  CHECK(world.clock().now() == began + instant(3'000'000'000));
  CHECK(ending(world, list.write("b")) == "ok");
  CHECK(list.contents() == lines{"a", "b", "b"});

  idempotent_sink table(fault_script("write").at(1, fault::duplicate));
  CHECK(ending(world, table.write("k", "v")) == "ok");
  CHECK(table.contents().size() == 1);
  CHECK(table.conflicts().empty());
}

TEST_CASE("an idempotent sink keeps one value per identity, and says where there were two", "[framework][faults]") {
  simulation world;
  idempotent_sink table;
  CHECK(ending(world, table.write("k", "1")) == "ok");
  CHECK(ending(world, table.write("k", "1")) == "ok");
  CHECK(table.conflicts().empty());
  CHECK(ending(world, table.write("k", "2")) == "ok");
  CHECK(table.conflicts() == lines{"k: 1, then 2"});
  CHECK(table.contents().at("k") == "2");
}

TEST_CASE("crashes before and behind a commit leave it undone and done", "[framework][faults]") {
  auto const kept = std::make_shared<memory_state_store>();
  simulation world;
  fault_script faults("commit");
  faults.at(1, fault::crash_before).at(2, fault::crash_after).at(3, fault::fail).at(4, fault::lost_ack);
  faulty_store store(kept, faults);
  CHECK_THROWS_AS(world.run(store.commit(key, up_to(5, 1))), testing::crashed);
  CHECK(stored(*kept) == std::nullopt);
  CHECK_THROWS_AS(world.run(store.commit(key, up_to(5, 1))), testing::crashed);
  CHECK(stored(*kept) == 5);
  CHECK(ending(world, store.commit(key, up_to(6, 2))) == "testing: commit 3 failed: the test wants it to");
  CHECK(stored(*kept) == 5);  // nothing of it: there are no torn writes
  CHECK(ending(world, store.commit(key, up_to(6, 2))) ==
        "testing: commit 4 was not answered: it is done, but the test wants the answer to be lost");
  CHECK(stored(*kept) == 6);
  CHECK(stored(store) == 6);
  CHECK(testing::run(store.list("p")).size() == 1);
  testing::run(store.erase(key));
  CHECK(stored(*kept) == std::nullopt);
}

TEST_CASE("a crash after each step of a commit leaves all of it or nothing", "[framework][faults]") {
  std::size_t undone = 0, done = 0;
  for (std::uint64_t k = 0; k != 3; ++k) {
    auto const kept = std::make_shared<memory_state_store>();
    simulation world;
    faulty_store store(kept);
    world.crash_after(k);
    CHECK_THROWS_AS(world.run(store.commit(key, up_to(5, 1))), testing::crashed);
    ++(stored(*kept) ? done : undone);
  }
  CHECK(undone == 2);
  CHECK(done == 1);
}

TEST_CASE("a source whose read fails has not handed out the chunk", "[framework][faults]") {
  auto read = [](stream<int> s, lines& out) -> task<> {
    while (int* const x = co_await s.next()) out.push_back(std::to_string(*x));
  };
  simulation world;
  lines got;
  faulty_source<int> source(testing::script<int>().elements({1, 2}).element(3), fault_script("read").at(2, fault::fail));
  CHECK(ending(world, read(source.open("0", std::nullopt), got)) == "testing: read 2 failed: the test wants it to");
  CHECK(got == lines{"1", "2"});
  CHECK(ending(world, read(source.open("0", position(2)), got)) == "ok");
  CHECK(got == lines{"1", "2", "3"});
}
