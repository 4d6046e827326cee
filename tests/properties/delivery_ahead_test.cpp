// Operators that run ahead of their consumer lose nothing, wherever the process crashes and whatever fails; and operators between which
// one holds back without saying so are found.
#include <weir/operators/batch.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/map_concurrent.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/sleep.hpp>
#include <weir/stage.hpp>

#include "properties/delivery_support.hpp"

#include <optional>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::delivery_check;
using testing::idempotent_sink;

namespace {

contents all_seen() {
  contents out;
  for (happening const& h : happenings()) out[std::to_string(h.id)] = "seen";
  return out;
}
task<int> looked_up(happening h) {
  co_await sleep_for(std::chrono::milliseconds(h.id * 7 % 5));
  co_return h.id;
}

// Keeps one element back, and tells nobody: neither the frontier nor the checkpoint knows of it.
class keeps_one : public forwards_marks {
public:
  bool element(happening& x, auto t, auto down) {
    std::optional<happening> const before = std::exchange(kept_, x);
    if (!before) return true;
    happening given = *before;
    return down.element(given, t);
  }
  bool finish(auto down) {
    if (kept_) {
      happening last = *kept_;
      down.element(last, timestamp{last.time});
    }
    return down.finish();
  }

private:
  std::optional<happening> kept_;
};

}  // namespace

TEST_CASE("delivery: many in work at once, in order and out of order", "[properties][delivery]") {
  for (std::uint64_t seed = 1; seed != 3; ++seed) {
    delivery_check ordered(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
      auto ids = std::move(s) | map_concurrent(4, looked_up);
      while (int* const id = co_await ids.next()) co_await out.write(std::to_string(*id), "seen");
    });
    check_delivers(ordered.expect(all_seen()).seed(seed).run());
    delivery_check unordered(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
      auto ids = std::move(s) | map_concurrent(concurrency(4).order(ordering::unordered), looked_up);
      while (int* const id = co_await ids.next()) co_await out.write(std::to_string(*id), "seen");
    });
    check_delivers(unordered.expect(all_seen()).seed(seed).run());
  }
}

TEST_CASE("delivery: batches by count and time, and chunks fetched ahead", "[properties][delivery]") {
  delivery_check batches(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto groups = std::move(s) | batch(batch_options().count(3).time(300ms));
    while (std::vector<happening>* const group = co_await groups.next())
      for (happening const& h : *group) co_await out.write(std::to_string(h.id), "seen");
  });
  check_delivers(batches.expect(all_seen()).run());
  delivery_check ahead(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto all = std::move(s) | prefetch(4);
    while (happening* const h = co_await all.next()) co_await out.write(std::to_string(h->id), "seen");
  });
  check_delivers(ahead.expect(all_seen()).run());
}

TEST_CASE("delivery, found: ids that are saved before what they let through is delivered", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto once = std::move(s) | in_time() | dedup(&happening::id, 60ns) | simple_stage<keeps_one, unchanged>(keeps_one());
    while (happening* const h = co_await once.next()) co_await out.write(std::to_string(h->id), "seen");
  });
  auto const report = check.expect(all_seen()).run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  CHECK(report.lost == std::vector<std::string>{"2 = seen"});
  CHECK(report.unexpected.empty());
}
