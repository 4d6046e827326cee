#include <weir/application_status.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;

namespace {

std::vector<pipeline_figures> one_pipeline() {
  std::vector<pipeline_figures> all(1);
  all[0].name = "bars";
  all[0].source = "ticks";
  all[0].guarantee = "ticks -> bars: effects exactly once";
  return all;
}

}  // namespace

TEST_CASE("an application is ready when its sources have said what to read, and partitions are opened", "[framework][status]") {
  application_status status("test");
  status.begin(one_pipeline(), 1min);
  application_figures now = status.look(0s);
  REQUIRE(now.missing().size() == 1);
  CHECK(now.missing()[0].find("pipeline bars: its source (ticks) has not said yet what to read") == 0);
  auto const p = std::make_shared<partition_status>("bars", "ticks", "3");
  status.add(p);
  status.connected("bars");
  CHECK_FALSE(status.look(0s).ready());  // its checkpoint is being loaded
  p->enter(partition_phase::reading, 1s);
  CHECK(status.look(2s).ready());
  status.draining();
  CHECK_FALSE(status.look(2s).ready());
  CHECK(status.look(2s).complaints().empty());
}

TEST_CASE("who has work and does not move is stalled, who waits for the source is not", "[framework][status]") {
  application_status status("test");
  status.begin(one_pipeline(), 1min);
  auto const p = std::make_shared<partition_status>("bars", "ticks", "3");
  status.add(p);
  p->enter(partition_phase::reading, 0s);
  CHECK(status.look(10min).complaints().empty());
  p->enter(partition_phase::handling, 10min);
  CHECK(status.look(11min).complaints().empty());
  auto const stalled = status.look(11min + 1s).complaints();
  REQUIRE(stalled.size() == 1);
  CHECK(stalled[0].find("stalled: pipeline bars, partition 3: handling for 61 s") == 0);
  p->enter(partition_phase::committing, 12min);
  CHECK(status.look(12min + 30s).complaints().empty());
  CHECK(status.look(14min).complaints().at(0).find("see whether the store and the sinks answer") != std::string::npos);
}

TEST_CASE("what has halted stays to be seen with its reason; what was released is gone", "[framework][status]") {
  application_status status("test");
  status.begin(one_pipeline(), 0s);
  auto const a = std::make_shared<partition_status>("bars", "ticks", "a"), b = std::make_shared<partition_status>("bars", "ticks", "b");
  status.add(a);
  status.add(b);
  partition_figures f;
  f.records = 17;
  f.frontier = "16";
  f.frontier_gap = 1;
  a->show(f);
  a->halted("the price is no number", 5s);
  status.remove(*b);
  application_figures const now = status.look(8s);
  REQUIRE(now.partitions.size() == 1);
  CHECK(now.partitions[0].text() ==
        "pipeline bars, partition a: halted for 3000 ms, 17 records taken, 1 of them in no checkpoint, done up to 16; it failed: the price "
        "is "
        "no number; a restart resumes at the checkpoint");
  CHECK(now.complaints().size() == 1);
  a->show(f);
  CHECK(status.look(8s).partitions.at(0).failure == "the price is no number");
}

TEST_CASE("a source that says no more what to read is a complaint", "[framework][status]") {
  application_status status("test");
  status.begin(one_pipeline(), 0s);
  status.failed("bars", "access denied");
  CHECK(status.look(0s).complaints() == std::vector<std::string>{"pipeline bars: its source says no more what to read: access denied"});
}
