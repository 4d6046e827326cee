// Rows of sinks that are written with the commits: each is there once, wherever the process crashes and whatever fails.
#include <weir/failure_policy.hpp>
#include <weir/memory_write.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/batch.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/flat_map.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/map_concurrent.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/sleep.hpp>
#include <weir/when_all.hpp>

#include "properties/delivery_support.hpp"
#include "support/forwarding_store.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::delivery_check;
using testing::delivery_trial;
using lines = std::vector<std::string>;

namespace {

lines ids(int from, int to) {
  lines out;
  for (int id = from; id != to; ++id) out.push_back(std::to_string(id));
  return out;
}
std::string text_of(int x) { return std::to_string(x); }
std::string id_of(happening const& h) { return std::to_string(h.id); }

// A pipeline of happenings with the sink "out".
template <class H> delivery_check writing(H handler, bool again = false) {
  delivery_check check([handler = std::move(handler), again](application& app, delivery_trial& trial) {
    app.use_source(trial.source(played(happenings())), [&](auto& pipeline) {
      if (again) pipeline.on_failure(failure_policy().retry(retry_policy()));
      pipeline.use_sink("out", trial.table()).use_stream(handler);
    });
  });
  check.exactly_once();
  return check;
}
void check_once(testing::delivery_report const& report) {
  INFO(report.text());
  CHECK(report.passed());
  CHECK(report.trials > 150);
  CHECK(report.commits > 3);
}
task<> write_all(stream<std::string> s, stream_context& context) {
  auto const out = context.sink<std::string>("out");
  while (std::string* const x = co_await s.next()) co_await out.write(*x);
}
stream<std::string> passed_on(stream<std::string> s) {
  while (std::string* const x = co_await s.next()) co_yield std::move(*x);
}
template <class Chain> task<> ended(Chain chain) { co_await chain; }

// Wrong on purpose: rows that are no part of the transaction, before or behind it.
class rows_apart final : public forwarding_store {
public:
  rows_apart(std::shared_ptr<state_store> inside, bool first) : forwarding_store(std::move(inside)), first_(first) {}
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    std::vector<std::shared_ptr<store_write>> const apart = std::exchange(update.writes, {});
    if (first_) apply(apart);
    co_await inside().commit(std::move(key), std::move(update));
    if (!first_) apply(apart);
  }

private:
  static void apply(std::vector<std::shared_ptr<store_write>> const& rows) {
    for (auto const& r : rows) dynamic_cast<memory_write&>(*r).apply();
  }
  bool first_;
};

}  // namespace

TEST_CASE("rows once: by hand, behind stages, with checkpoints that are asked for", "[properties][delivery][sink]") {
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               while (happening* const h = co_await s.next()) {
                 std::string const id = id_of(*h);
                 co_await context.sink<std::string>("out").write(id);
                 if (h->id % 7 == 3) co_await context.checkpointer().checkpoint();
               }
             })
                 .expect_list(ids(0, 20))
                 .run());
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               auto some = std::move(s) | filter([](happening const& h) { return h.id >= 5; }) | map(id_of);
               while (std::string* const x = co_await some.next()) {
                 co_await context.sink<std::string>("out").write(*x);
                 if (*x == "11") co_await context.checkpointer().checkpoint();
               }
             })
                 .expect_list(ids(5, 20))
                 .run());
}

TEST_CASE("rows once: by hand, behind operators that run ahead or have state", "[properties][delivery][sink]") {
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               stream<std::string> all = std::move(s) | map(id_of) | prefetch(3);
               co_await write_all(std::move(all), context);
             })
                 .expect_list(ids(0, 20))
                 .run());
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               auto const slow = [](happening const& h) -> task<std::string> {
                 int const id = h.id;
                 co_await sleep_for(std::chrono::milliseconds(id % 3));
                 co_return std::to_string(id);
               };
               stream<std::string> all = std::move(s) | map_concurrent(4, slow);
               co_await write_all(std::move(all), context);
             })
                 .expect_list(ids(0, 20))
                 .run());
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               stream<std::string> all = std::move(s) | scan(-1, [](int& n, happening const&) { ++n; }) | map(text_of);
               stream<std::string> passed = passed_on(std::move(all));
               co_await write_all(std::move(passed), context);
             })
                 .expect_list(ids(0, 20))
                 .run());
}

TEST_CASE("rows once: the handler is run again within the process", "[properties][delivery][sink]") {
  check_once(writing(
                 [](stream<happening> s, stream_context& context) -> task<> {
                   stream<std::string> all = std::move(s) | map(id_of);
                   co_await write_all(std::move(all), context);
                 },
                 true)
                 .expect_list(ids(0, 20))
                 .run());
}

TEST_CASE("rows once: at the end of a chain, and of both halves of a split", "[properties][delivery][sink]") {
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               auto all = std::move(s) | scan(-1, [](int& n, happening const&) { ++n; }) | map(text_of) |
                          write_to(context.sink<std::string>("out"));
               co_await all;
             })
                 .expect_list(ids(0, 20))
                 .run());
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               auto halves = split(std::move(s), [](happening const& h) { return h.id % 3 == 0; });
               auto thirds = std::move(halves.matching) | map(id_of) | write_to(context.sink<std::string>("out"));
               auto others = std::move(halves.rest) | map(id_of) | write_to(context.sink<std::string>("out"));
               auto both = when_all(ended(std::move(thirds)), ended(std::move(others)));
               co_await std::move(both);
             })
                 .expect_list(ids(0, 20))
                 .run());
}

TEST_CASE("rows once: of groups by count", "[properties][delivery][sink]") {
  auto const flat = [](std::vector<happening>& group) { return std::move(group); };
  check_once(writing([flat](stream<happening> s, stream_context& context) -> task<> {
               stream<std::string> all = std::move(s) | window(3) | flat_map(flat) | map(id_of);
               co_await write_all(std::move(all), context);
             })
                 .expect_list(ids(0, 20))
                 .run());
  check_once(writing([flat](stream<happening> s, stream_context& context) -> task<> {
               auto all =
                   std::move(s) | window(3).named("threes") | flat_map(flat) | map(id_of) | write_to(context.sink<std::string>("out"));
               co_await all;
             })
                 .expect_list(ids(0, 20))
                 .run());
  check_once(writing([flat](stream<happening> s, stream_context& context) -> task<> {
               auto all = std::move(s) | batch(3) | flat_map(flat) | map(id_of) | write_to(context.sink<std::string>("out"));
               co_await all;
             })
                 .expect_list(ids(0, 20))
                 .run());
  check_once(writing([flat](stream<happening> s, stream_context& context) -> task<> {
               auto all = std::move(s) | batch(batch_options().count(3).time(400ms)) | flat_map(flat) | map(id_of) |
                          write_to(context.sink<std::string>("out"));
               co_await all;
             })
                 .expect_list(ids(0, 20))
                 .run());
}

TEST_CASE("rows once: of windows that are open at the end of the data", "[properties][delivery][sink]") {
  // By 10 from 0 to 60, of either key; what is late (4, 2) is dropped, and what it is late for depends on no crash.
  lines const windows{"0/0", "0/10", "0/20", "0/30", "0/40", "1/0", "1/10", "1/20", "1/30", "1/40", "1/60"};
  auto const named = [](auto const& r) { return std::to_string(r.key) + "/" + std::to_string(r.window.start); };
  check_once(writing([named](stream<happening> s, stream_context& context) -> task<> {
               auto all = std::move(s) | in_time() | key_by(&happening::key) | tumbling_window(10ns, late::drop()) | aggregate(count()) |
                          map(named) | write_to(context.sink<std::string>("out"));
               co_await all;
             })
                 .expect_list(windows)
                 .run());
  check_once(writing([named](stream<happening> s, stream_context& context) -> task<> {
               stream<std::string> all = std::move(s) | in_time() | key_by(&happening::key) | tumbling_window(10ns, late::drop()) |
                                         aggregate(count()) | map(named);
               co_await write_all(std::move(all), context);
             })
                 .expect_list(windows)
                 .run());
}

TEST_CASE("rows once: behind branches that meet again, counted there", "[properties][delivery][sink]") {
  check_once(writing([](stream<happening> s, stream_context& context) -> task<> {
               auto halves = split(std::move(s), [](happening const& h) { return h.id % 3 == 0; });
               stream<happening> thirds = std::move(halves.matching) | prefetch(2);
               auto all = merge(std::move(thirds), std::move(halves.rest)) | scan(-1, [](int& n, happening const&) { ++n; }) |
                          map(text_of) | write_to(context.sink<std::string>("out"));
               co_await all;
             })
                 .expect_list(ids(0, 20))
                 .run());
}

TEST_CASE("found: rows that are written before their checkpoint, or behind it", "[properties][delivery][sink]") {
  auto const found = [](bool first) {
    return writing([](stream<happening> s, stream_context& context) -> task<> {
             stream<std::string> all = std::move(s) | map(id_of);
             co_await write_all(std::move(all), context);
           })
        .expect_list(ids(0, 20))
        .store([first](auto inside) { return std::make_shared<rows_apart>(inside, first); })
        .run();
  };
  auto const before = found(true), behind = found(false);
  INFO(before.text());
  INFO(behind.text());
  CHECK_FALSE(before.doubled.empty());
  CHECK(before.lost.empty());
  CHECK_FALSE(behind.lost.empty());
  CHECK(behind.doubled.empty());
}
