// Crashes of a simulation; the rest of it is what all other tests run in.
#include <weir/testing/simulation.hpp>

#include <weir/error.hpp>
#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/crash.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using testing::crashed;
using testing::simulation;

namespace {

// Writes down what happens, and that its frame is gone.
class diary {
public:
  diary(std::vector<std::string>& pages, std::string who) : pages_(pages), who_(std::move(who)) { note("begins"); }
  diary(diary const&) = delete;
  diary& operator=(diary const&) = delete;
  ~diary() { pages_.push_back(who_ + " is gone"); }
  void note(std::string const& what) { pages_.push_back(who_ + " " + what); }

private:
  std::vector<std::string>& pages_;
  std::string who_;
};

task<> worker(std::vector<std::string>& pages, std::string who, std::chrono::nanoseconds pause) {
  diary mine(pages, std::move(who));
  co_await reschedule();
  mine.note("works");
  co_await sleep_for(pause);
  mine.note("is done");
}
task<> two_workers(std::vector<std::string>& pages) {
  auto both = when_all(worker(pages, "a", 1s), worker(pages, "b", 2s));
  co_await std::move(both);
}

std::size_t times(std::vector<std::string> const& pages, std::string const& what) {
  std::size_t n = 0;
  for (std::string const& page : pages) n += page.find(what) != std::string::npos ? 1 : 0;
  return n;
}

task<int> give(int x) { co_return x; }
task<> crash_amid(std::vector<std::string>& pages) {
  diary mine(pages, "c");
  co_await testing::crash();
  mine.note("lives");
}
task<> crash_beside(std::vector<std::string>& pages) {
  auto both = when_all(worker(pages, "a", 1s), crash_amid(pages));
  co_await std::move(both);
}
task<> never() { co_await std::suspend_always(); }

}  // namespace

TEST_CASE("a crash after any step ends everything where it waits, and nothing runs later", "[framework][simulation]") {
  std::vector<std::string> calm;
  simulation whole;
  whole.run(two_workers(calm));
  std::uint64_t const steps = whole.steps();
  REQUIRE(steps > 4);
  for (std::uint64_t k = 0; k != steps; ++k) {
    CAPTURE(k);
    std::vector<std::string> pages;
    simulation world;
    world.crash_after(k);
    CHECK_THROWS_AS(world.run(two_workers(pages)), crashed);
    CHECK(world.steps() == k);
    CHECK(times(pages, "begins") == times(pages, "is gone"));
    CHECK(times(pages, "is done") <= times(calm, "is done"));
    std::size_t const written = pages.size();
    CHECK(world.run(give(7)) == 7);  // the restart
    CHECK(pages.size() == written);
    CHECK(world.clock().pending() == 0);
  }
}

TEST_CASE("a crash that would come after the end does not come, nor in the next run", "[framework][simulation]") {
  std::vector<std::string> pages;
  simulation world;
  world.crash_after(1000);
  world.run(two_workers(pages));
  for (int i = 0; i != 300; ++i) world.run(two_workers(pages));
  CHECK(times(pages, "is done") == 602);
}

TEST_CASE("time and steps go on behind a crash", "[framework][simulation]") {
  std::vector<std::string> pages;
  simulation world;
  instant const began = world.clock().now();
  world.run(two_workers(pages));
  std::uint64_t const steps = world.steps();
  world.crash_after(steps - 1);
  CHECK_THROWS_AS(world.run(two_workers(pages)), crashed);
  CHECK(world.steps() == 2 * steps - 1);
  CHECK(world.clock().now() >= began + instant(3'000'000'000));
}

TEST_CASE("crash() ends the process where it stands, and all that runs beside it", "[framework][simulation]") {
  std::vector<std::string> pages;
  simulation world;
  CHECK_THROWS_AS(world.run(crash_beside(pages)), crashed);
  CHECK(pages.size() == 4);
  CHECK(times(pages, "is gone") == 2);
}

TEST_CASE("a run that stalls can be followed by another", "[framework][simulation]") {
  simulation world;
  try {
    world.run(never());
    FAIL("ended");
  } catch (weir::error const& e) {
    CHECK(e.code() == errc::stalled);
  }
  CHECK(world.run(give(3)) == 3);
}
