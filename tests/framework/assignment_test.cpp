#include <weir/assignment.hpp>

#include <weir/application.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::keeping_in;
using testing::script;

namespace {

position const all_of_it(std::numeric_limits<std::uint64_t>::max());

// Assigns by a plan: at a time, or when a partition has ended.
class planned final : public source<int> {
public:
  struct step {
    std::chrono::nanoseconds pause;  // before it
    assignment change;
  };
  explicit planned(script<int> data) : data_(std::move(data)) {}

  std::vector<step> plan;
  std::map<std::string, std::vector<std::string>> children;  // assigned when the partition is finished
  bool endless = false;                                      // it might assign more, for ever
  std::string fails_with;                                    // ... or fails behind the plan
  bool closed = false;                                       // its partitions end for good
  std::vector<std::pair<std::string, partition_end>> ends;
  std::map<std::string, std::optional<position>> known;  // asked for when the pipeline begins

  std::string_view name() const noexcept override { return "planned"; }
  std::vector<std::string> partitions() const override { return {}; }
  stream<int> open(std::string partition, std::optional<position> after) override {
    if (after == all_of_it) return nothing();
    return data_.play(std::move(partition), after ? after->offset() : 0);
  }
  stream<assignment> assignments(assignment_view& pipeline) override { return follow(*this, pipeline); }
  void ended(std::string const& partition, partition_end how) noexcept override {
    ends.emplace_back(partition, how);
    if (how == partition_end::finished)
      for (auto const& child : children[partition]) due_.emplace_back(assignment_kind::assigned, child);
    --expected_;
    changed_.wake();
  }
  std::optional<position> end_of(std::string const&) const override {
    if (closed) return all_of_it;
    return std::nullopt;
  }

private:
  static stream<int> nothing() { co_return; }
  static stream<assignment> follow(planned& me, assignment_view& pipeline) {
    for (auto& [partition, at] : me.known) {
      task<std::optional<position>> asking = pipeline.committed(partition);
      at = co_await std::move(asking);
    }
    for (step const& s : me.plan) {
      if (s.pause > 0s) co_await sleep_for(s.pause);
      if (s.change.kind == assignment_kind::assigned) ++me.expected_;
      assignment next = s.change;
      co_yield next;
    }
    if (!me.fails_with.empty()) throw error(errc::unavailable, "planned: cannot go on", me.fails_with);
    while (me.endless || !me.due_.empty() || (!me.children.empty() && me.expected_ > 0)) {
      if (me.due_.empty()) co_await me.changed_.wait();
      while (!me.due_.empty()) {
        assignment next = std::move(me.due_.front());
        me.due_.pop_front();
        ++me.expected_;
        co_yield next;
      }
    }
  }

  script<int> data_;
  std::deque<assignment> due_;
  detail::wait_list changed_;
  int expected_ = 0;
};

planned::step assign(std::string partition, std::chrono::nanoseconds pause = 0s) {
  return {pause, assignment(assignment_kind::assigned, std::move(partition))};
}
planned::step revoke(std::string partition, std::chrono::nanoseconds pause) {
  return {pause, assignment(assignment_kind::revoked, std::move(partition))};
}
planned::step lose(std::string partition, std::chrono::nanoseconds pause) {
  return {pause, assignment(assignment_kind::lost, std::move(partition))};
}

std::optional<position> stored(state_store& store, std::string partition) {
  auto body = [](state_store& s, std::string p) -> task<std::optional<position>> {
    auto const saved = co_await s.load(checkpoint_key("test/planned", "planned", p));
    if (!saved) co_return std::nullopt;
    co_return saved->head.position;
  };
  return testing::run(body(store, std::move(partition)));
}

struct seen {
  std::vector<std::string> order;  // "a 1"
  void run(std::shared_ptr<planned> const& from, std::shared_ptr<state_store> const& store, commit_policy commit = {}) {
    application app(keeping_in(store));
    app.use_source(from, [&](auto& pipeline) {
      pipeline.commit(commit).use_stream([this](stream<int> s, stream_context& context) -> task<> {
        std::string const partition(context.partition());
        while (int* x = co_await s.next()) order.push_back(partition + " " + std::to_string(*x));
      });
    });
    testing::run(app.serve());
  }
};

using ends = std::vector<std::pair<std::string, partition_end>>;

}  // namespace

TEST_CASE("partitions are read as they are assigned, and the pipeline is over with the last of them", "[framework][assignment]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const from =
      std::make_shared<planned>(script<int>().partition("a").elements({1, 2}).wait(5s).element(3).partition("b").elements({7}));
  from->plan = {assign("a"), assign("b", 1s), assign("b")};
  seen all;
  all.run(from, store);
  CHECK(all.order == std::vector<std::string>{"a 1", "a 2", "b 7", "a 3"});
  CHECK(from->ends == ends{{"b", partition_end::finished}, {"a", partition_end::finished}});
  CHECK(stored(*store, "a") == position(3));
  CHECK(stored(*store, "b") == position(1));
}

TEST_CASE("a partition that goes on in others: they are assigned when all of it is done and its end is committed",
          "[framework][assignment]") {
  auto const store = std::make_shared<memory_state_store>();
  script<int> const data =
      script<int>().partition("parent").elements({1, 2}).partition("left").elements({3}).partition("right").partition("late");
  auto const from = std::make_shared<planned>(data);
  from->closed = true;
  from->plan = {assign("parent")};
  from->children = {{"parent", {"left", "right"}}, {"right", {"late"}}};
  seen all;
  all.run(from, store);
  CHECK(all.order == std::vector<std::string>{"parent 1", "parent 2", "left 3"});
  CHECK(stored(*store, "parent") == all_of_it);
  CHECK(stored(*store, "right") == all_of_it);  // it had no record at all
  CHECK(stored(*store, "late") == all_of_it);

  auto const again = std::make_shared<planned>(data.afresh());
  again->closed = true;
  again->known = {{"parent", std::nullopt}, {"unknown", position(1)}};
  again->plan = {assign("parent")};
  seen nothing;
  nothing.run(again, store);
  CHECK(nothing.order.empty());
  CHECK(again->known.at("parent") == all_of_it);
  CHECK_FALSE(again->known.at("unknown"));
}

TEST_CASE("a revoked partition is committed as far as it was read, and may come back", "[framework][assignment]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const from = std::make_shared<planned>(script<int>().partition("a").element(1).wait(10s).elements({2, 3}));
  from->plan = {assign("a"), revoke("a", 1s), revoke("other", 0s), assign("a", 1s)};
  seen all;
  all.run(from, store);
  CHECK(all.order == std::vector<std::string>{"a 1", "a 2", "a 3"});
  CHECK(from->ends == ends{{"a", partition_end::released}, {"a", partition_end::finished}});
  CHECK(stored(*store, "a") == position(3));
}

TEST_CASE("a lost partition is cancelled, and nothing is committed for it any more", "[framework][assignment]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const from = std::make_shared<planned>(script<int>().partition("a").elements({1, 2}).wait(1h).element(3));
  from->plan = {assign("a"), lose("a", 1s)};
  seen all;
  all.run(from, store, commit_policy(1'000'000, 1min));
  CHECK(all.order == std::vector<std::string>{"a 1", "a 2"});
  CHECK(from->ends == ends{{"a", partition_end::released}});
  CHECK_FALSE(stored(*store, "a"));
}

TEST_CASE("a handler that returns early does not finish a partition that goes on in others", "[framework][assignment]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const from = std::make_shared<planned>(script<int>().partition("a").elements({1, 2}));
  from->closed = true;
  from->plan = {assign("a")};
  application app(keeping_in(store));
  app.use_source(from,
                 [](auto& pipeline) { pipeline.use_stream([](stream<int> s, stream_context&) -> task<> { (void)co_await s.next(); }); });
  testing::run(app.serve());
  CHECK(from->ends == ends{{"a", partition_end::released}});
  CHECK(stored(*store, "a") == position(1));
}

TEST_CASE("a source that can say no more which partitions to read halts its pipeline, when what is read is committed",
          "[framework][assignment]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const from = std::make_shared<planned>(script<int>().partition("a").element(1).wait(1h).element(2));
  from->plan = {assign("a")};
  from->fails_with = "the stream is gone";
  std::string log;
  settings s = keeping_in(store);
  s.log = logger(log_level::error, [&](log_level, std::string_view message) { log += message; });
  std::vector<int> others;
  application app(std::move(s));
  auto const take = [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> items, stream_context&) -> task<> {
      while (int* x = co_await items.next()) others.push_back(*x);
    });
  };
  app.use_source(from, take).use_memory_stream(script<int>().wait(5s).element(9), take);
  fails_with(errc::unavailable, [&] { testing::run(app.serve()); }, "the stream is gone");
  CHECK(others == std::vector<int>{1, 9});
  CHECK(stored(*store, "a") == position(1));
  CHECK(log.find("planned, its source says no more which partitions to read") != std::string::npos);
}

TEST_CASE("draining ends assignments that would go on for ever", "[framework][assignment]") {
  auto const store = std::make_shared<memory_state_store>();
  auto const from = std::make_shared<planned>(script<int>().partition("a").element(1).wait(1h).element(2));
  from->plan = {assign("a")};
  from->endless = true;
  application app(keeping_in(store));
  app.use_source(from, [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, stream_context&) -> task<> {
      while (co_await s.next()) app.stop();
    });
  });
  testing::run(app.serve());
  CHECK(from->ends == ends{{"a", partition_end::released}});
  CHECK(stored(*store, "a") == position(1));
}
