// What becomes of partitions that a consumer holds, and of the blobs that tell others how far they are; without I/O.
#include <weir/eventhubs/detail/blob_progress.hpp>
#include <weir/eventhubs/detail/offset_trail.hpp>
#include <weir/eventhubs/detail/shared_partitions.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::checkpoint_write;
using eventhubs::stored_checkpoint;
using eventhubs::detail::blob_progress;
using eventhubs::detail::offset_trail;
using eventhubs::detail::shared_partitions;

namespace {

// What the pipeline is told, and what is given back: "assigned 0, lost 0, back 0 until 10 s".
std::string said(shared_partitions& p) {
  std::string out;
  auto const add = [&](std::string const& text) { out += (out.empty() ? "" : ", ") + text; };
  for (assignment const& a : p.take_assignments()) add((a.kind == assignment_kind::assigned ? "assigned " : "lost ") + a.partition);
  for (auto const& r : p.take_releases()) add("back " + r.partition + " until " + std::to_string(r.rests_until / 1s) + " s");
  return out;
}

// Gained, and read.
void begin(shared_partitions& p, std::string const& id) {
  p.gained(id);
  auto const ready = p.take_ready();
  REQUIRE(ready.size() == 1);
  p.begun(ready[0]);
  CHECK(said(p) == "assigned " + id);
}

checkpoint_write done(stored_checkpoint to, std::string etag) {
  checkpoint_write out;
  out.done = true;
  out.stored = std::move(to);
  out.stored.etag = std::move(etag);
  return out;
}

}  // namespace

TEST_CASE("a partition is read from when it is held until it is lost, and given back when its reading has ended", "[eventhubs][sharing]") {
  shared_partitions p(10s);
  begin(p, "0");
  CHECK(p.reading() == std::vector<std::string>{"0"});
  p.lost("0");
  CHECK(said(p) == "lost 0");
  CHECK(p.reading().empty());
  p.gained("0");
  CHECK(p.take_ready().empty());  // the former reading has not ended
  p.ended("0", position(3), 5s);
  CHECK(p.take_leaving().empty());
  auto const again = p.take_ready();
  REQUIRE(again.size() == 1);
  p.begun(again[0]);
  CHECK(said(p) == "assigned 0");
  p.drain();
  CHECK(said(p) == "");
  p.ended("0", position(4), 6s);
  auto const leaving = p.take_leaving();
  REQUIRE(leaving.size() == 1);
  CHECK(said(p) == "");  // before its checkpoint is written
  p.left(leaving[0], 7s);
  CHECK(said(p) == "back 0 until 0 s");
}

TEST_CASE("a partition whose reading fails rests for longer and longer, unless something was committed", "[eventhubs][sharing]") {
  shared_partitions p(10s);
  std::vector<std::string> back;
  for (position const at : {position(1), position(1), position(1), position(2)}) {
    begin(p, "0");
    p.ended("0", at, 100s);
    for (auto const& t : p.take_leaving()) p.left(t, 100s);
    back.push_back(said(p));
  }
  CHECK(back == std::vector<std::string>{"back 0 until 110 s", "back 0 until 120 s", "back 0 until 140 s", "back 0 until 110 s"});
  for (int i = 0; i != 12; ++i) {
    p.gained("0");
    auto const ready = p.take_ready();
    REQUIRE(ready.size() == 1);
    p.could_not_begin(ready[0], 0s);
  }
  auto const all = p.take_releases();
  CHECK(all.back().rests_until == 300s);
}

TEST_CASE("a partition that another receiver takes is lost once, whoever says so first", "[eventhubs][sharing]") {
  shared_partitions p(10s);
  begin(p, "0");
  CHECK(p.stolen("0", position(1), 100s));
  CHECK(said(p) == "lost 0, back 0 until 110 s");
  CHECK_FALSE(p.stolen("0", position(1), 100s));
  p.lost("0");
  CHECK(said(p) == "");
  p.ended("0", position(1), 101s);
  CHECK(p.take_leaving().empty());
  begin(p, "0");
  p.lost("0");
  CHECK_FALSE(p.stolen("0", position(1), 120s));
  CHECK(said(p) == "lost 0");
}

TEST_CASE("what is lost while it begins, or while it is left, is no more of this consumer's business", "[eventhubs][sharing]") {
  shared_partitions p(10s);
  p.gained("0");
  auto const ready = p.take_ready();
  REQUIRE(ready.size() == 1);
  p.lost("0");
  CHECK_FALSE(p.wants(ready[0]));
  p.begun(ready[0]);
  CHECK(said(p) == "");
  begin(p, "0");
  p.ended("0", std::nullopt, 0s);
  auto const leaving = p.take_leaving();
  REQUIRE(leaving.size() == 1);
  CHECK(p.holds(leaving[0]));
  p.lost("0");
  CHECK_FALSE(p.holds(leaving[0]));
  p.left(leaving[0], 1s);
  CHECK(said(p) == "");
}

TEST_CASE("a consumer that drains gives back at once what it does not read, and what it gains meanwhile", "[eventhubs][sharing]") {
  shared_partitions p(10s);
  begin(p, "0");
  p.gained("1");
  p.drain();
  CHECK(said(p) == "back 1 until 0 s");
  p.gained("2");
  CHECK(said(p) == "back 2 until 0 s");
  CHECK(p.take_ready().empty());
  p.nobody_reads();  // it was told to read 0, and drained before
  CHECK(said(p) == "back 0 until 0 s");
}

TEST_CASE("the offset of a commit's last event is known, and what is behind it stays", "[eventhubs][sharing]") {
  offset_trail t;
  for (int i = 10; i != 20; ++i) t.add(i, "at " + std::to_string(i));
  CHECK_FALSE(t.take(9));
  auto const at = t.take(14);
  REQUIRE(at);
  CHECK(at->number == 14);
  CHECK(at->offset == "at 14");
  CHECK_FALSE(t.take(14));
  CHECK(t.size() == 5);
  t.add(16, "again 16");  // it is read again from there
  CHECK(t.size() == 2);
  CHECK(t.take(100)->offset == "again 16");
  for (int i = 0; i != 200'000; ++i) t.add(100 + i, "x");
  CHECK(t.size() <= 65'536);
  auto const early = t.take(100 + 150'000);
  REQUIRE(early);
  CHECK(early->number <= 100 + 150'000);
  CHECK(early->number > 100 + 150'000 - 16);
  CHECK(t.take(100 + 199'999)->number == 100 + 199'999);
}

TEST_CASE("a checkpoint's blob is written behind commits, one at a time, and not too often", "[eventhubs][sharing]") {
  blob_progress p;
  stored_checkpoint there;
  there.partition = "0";
  there.etag = "a";
  p.begins(there);
  CHECK(p.next_due() == blob_progress::time::max());
  for (int i = 0; i != 10; ++i) p.read(i, "at " + std::to_string(i));
  p.reached(position());
  CHECK_FALSE(p.due(0s));
  p.reached(position(3));
  auto const first = p.due(0s);
  REQUIRE(first);
  CHECK(first->partition == "0");
  CHECK(first->sequence_number == 3);
  CHECK(first->offset == "at 3");
  CHECK(first->etag == "a");
  p.reached(position(5));
  CHECK_FALSE(p.due(1s));
  CHECK_FALSE(p.last());
  p.done(done(*first, "b"), 5s);
  CHECK(p.next_due() == 5s);
  CHECK_FALSE(p.due(4s));
  auto const second = p.due(5s);
  REQUIRE(second);
  CHECK(second->sequence_number == 5);
  CHECK(second->etag == "b");
  p.failed(10s);
  auto const again = p.due(10s);
  REQUIRE(again);
  CHECK(again->sequence_number == 5);
  p.reached(position(7));
  p.failed(15s);
  CHECK(p.last()->sequence_number == 7);  // whenever that is
  p.done(done(*again, "c"), 20s);
  CHECK_FALSE(p.due(1h));
}
