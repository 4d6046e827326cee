// Sources that attend to their pipeline, and fence its partitions.
#include <weir/application.hpp>
#include <weir/assignment.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/error.hpp>
#include <weir/guarantee.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/outside_write.hpp>
#include <weir/predecessor.hpp>
#include <weir/sleep.hpp>
#include <weir/source.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/forwarding_store.hpp"
#include "support/keeping_in.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::keeping_in;

namespace {

checkpoint_key const key("test/tended", "tended", "p");

checkpoint_head head(position at, std::uint64_t version, std::string writer) { return checkpoint_head(at, 1, version, std::move(writer)); }

// Ones without an end, one a second, of a partition "p", which is assigned when the source's own work says so.
class tended final : public source<int> {
public:
  std::function<task<>(assignment_view&)> work;
  std::optional<position> opened_behind;
  std::vector<std::string> story;
  std::vector<predecessor> before;  // what "p" goes on from, each of which ends there
  static constexpr std::uint64_t end_of_those = 5;

  std::string_view name() const noexcept override { return "tended"; }
  bool knows_heirs() const noexcept override { return true; }
  std::vector<predecessor> predecessors(std::string const& partition) const override {
    return partition == "p" ? before : std::vector<predecessor>();
  }
  std::optional<position> end_of(std::string const& partition) const override {
    if (partition == "p") return std::nullopt;
    return position(end_of_those);
  }
  std::vector<std::string> partitions() const override { return {}; }
  stream<int> open(std::string /*partition*/, std::optional<position> after) override {
    opened_behind = after;
    return ones(ends);
  }
  stream<assignment> assignments(assignment_view& /*pipeline*/) override { return follow(*this); }
  task<> attend(assignment_view& pipeline) override { return work(pipeline); }
  void drains() noexcept override {
    story.emplace_back("drains");
    changes.wake();
  }
  void ended(std::string const& partition, partition_end how) noexcept override {
    story.push_back(partition + (how == partition_end::halted ? " halted" : " ended"));
    changes.wake();
  }
  void assign() {
    assigned_ = true;
    changes.wake();
  }
  bool ends = false;  // its assignments, and the partition
  detail::wait_list changes;

private:
  static stream<int> ones(bool end) {
    for (int i = 0; !end || i != 3; ++i) {
      co_await sleep_for(1s);
      co_yield 1;
    }
  }
  static stream<assignment> follow(tended& me) {
    while (!me.assigned_) co_await me.changes.wait();
    assignment next(assignment_kind::assigned, "p");
    co_yield next;
    while (!me.ends) co_await me.changes.wait();
  }
  bool assigned_ = false;
};

// Reads so many.
void read(std::shared_ptr<tended> const& from, settings s, int count) {
  application app(std::move(s));
  app.use_source(from, [&](auto& pipeline) {
    pipeline.use_stream([&, count](stream<int> in, stream_context&) -> task<> {
      for (int i = 0; i != count; ++i) (void)co_await in.next();
      app.stop();
      while (co_await in.next()) {}
    });
  });
  testing::run(app.serve());
}
void read(std::shared_ptr<tended> const& from, std::shared_ptr<state_store> const& store, int count) {
  read(from, keeping_in(store, 1), count);
}

// A sink that knows what it has written by the numbers of commits, and what it is told: "from 1", "2: 1 rows".
struct numbered_sink {
  using row_type = int;
  static constexpr std::string_view kind = "numbered";
  static constexpr guarantee promises = guarantee::idempotent;
  std::shared_ptr<std::vector<std::string>> story = std::make_shared<std::vector<std::string>>();

  std::shared_ptr<outside_write> write(std::vector<int> rows) const { return std::make_shared<part>(story, rows.size()); }
  task<> resume(checkpoint_key, std::uint64_t number) const {
    story->push_back("from " + std::to_string(number));
    co_return;
  }

private:
  struct part final : outside_write {
    part(std::shared_ptr<std::vector<std::string>> s, std::size_t n) noexcept : story(std::move(s)), rows(n) {}
    task<> write(checkpoint_key, std::uint64_t number) override {
      story->push_back(std::to_string(number) + ": " + std::to_string(rows) + " rows");
      co_return;
    }
    bool join(outside_write& later) override {
      rows += static_cast<part&>(later).rows;
      return true;
    }
    std::shared_ptr<std::vector<std::string>> story;
    std::size_t rows;
  };
};

// One whose commits fail, but for those of who fences.
class broken_store final : public test::forwarding_store {
public:
  broken_store(std::shared_ptr<state_store> inside, bool const& fails) noexcept : forwarding_store(std::move(inside)), fails_(fails) {}
  task<> commit(checkpoint_key of, checkpoint_update update) override {
    if (fails_) throw error(errc::unavailable, "store: gone");
    task<> committing = inside().commit(std::move(of), std::move(update));
    co_await std::move(committing);
  }

private:
  bool const& fails_;
};

// A worker that takes the partition so many times, and then reads so many, of which it makes rows.
enum class kept_rows : bool { none, all };
void work(std::shared_ptr<state_store> const& store, numbered_sink const& to, int fences, int count, kept_rows rows, bool fails = false) {
  auto const from = std::make_shared<tended>();
  bool failing = false;
  auto take = [&](assignment_view& pipeline) -> task<> {
    for (int i = 0; i != fences; ++i) {
      task<fenced_partition> fencing = pipeline.fence("p", std::nullopt);
      (void)co_await std::move(fencing);
    }
    failing = fails;
    from->assign();
  };
  from->work = take;
  application app(keeping_in(std::make_shared<broken_store>(store, failing), 1));
  app.use_source(from, [&](auto& pipeline) {
    pipeline.use_sink("out", to).use_stream([&](stream<int> in, stream_context& context) -> task<> {
      int left = count;
      while (int* const x = co_await in.next()) {
        if (rows == kept_rows::all) co_await context.sink<int>("out").write(*x);
        if (--left == 0) app.stop();
      }
    });
  });
  testing::run(app.serve());
}

task<> commit(state_store& to, checkpoint_update u) { return to.commit(key, std::move(u)); }

}  // namespace

TEST_CASE("a source attends to its pipeline from before the first assignment until the last partition has ended",
          "[framework][assignment]") {
  auto const from = std::make_shared<tended>();
  auto work = [&](assignment_view& pipeline) -> task<> {
    CHECK_FALSE(pipeline.draining());
    CHECK(pipeline.reached("p") == std::nullopt);
    co_await sleep_for(5s);
    from->assign();
    co_await sleep_for(4500ms);
    CHECK(pipeline.reached("p") == position(4));
    CHECK(pipeline.reached("q") == std::nullopt);
    while (!pipeline.over()) co_await from->changes.wait();
    CHECK(pipeline.draining());
    from->story.emplace_back("is over");
    co_await sleep_for(1s);  // it may still do something, and is waited for
    from->story.emplace_back("has left");
  };
  from->work = work;
  read(from, std::make_shared<memory_state_store>(), 7);
  CHECK(from->story == std::vector<std::string>{"drains", "p ended", "is over", "has left"});
}

TEST_CASE("a pipeline is over when its source has assigned all, and that is read to its end", "[framework][assignment]") {
  auto const from = std::make_shared<tended>();
  from->ends = true;
  from->assign();
  auto work = [&](assignment_view& pipeline) -> task<> {
    while (!pipeline.over()) co_await from->changes.wait();
    CHECK_FALSE(pipeline.draining());
    from->story.emplace_back("is over");
  };
  from->work = work;
  application app(keeping_in(std::make_shared<memory_state_store>(), 1));
  app.use_source(from, [](auto& pipeline) {
    pipeline.use_stream([](stream<int> in, stream_context&) -> task<> {
      while (co_await in.next()) {}
    });
  });
  testing::run(app.serve());
  CHECK(from->story == std::vector<std::string>{"p ended", "is over"});
}

TEST_CASE("what fails beside the reading while a pipeline drains is said, and fails nothing else", "[framework][assignment]") {
  auto const from = std::make_shared<tended>();
  from->assign();
  auto work = [&](assignment_view& pipeline) -> task<> {
    while (!pipeline.draining()) co_await from->changes.wait();
    throw error(errc::access_denied, "tended: cannot go on", "the table is gone");
  };
  from->work = work;
  settings s = keeping_in(std::make_shared<memory_state_store>(), 1);
  std::vector<std::string> said;
  s.log = logger(log_level::warning, [&](log_level, std::string_view text) { said.emplace_back(text); });
  read(from, std::move(s), 2);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("failed while it drained (tended)") != std::string::npos);
  CHECK(said[0].find("the table is gone") != std::string::npos);
}

TEST_CASE("a source that cannot attend to its pipeline any more halts it, when what is read is committed", "[framework][assignment]") {
  auto const from = std::make_shared<tended>();
  from->assign();
  from->work = [](assignment_view&) -> task<> {
    co_await sleep_for(3500ms);
    throw error(errc::access_denied, "tended: cannot go on", "the table is gone");
  };
  auto const store = std::make_shared<memory_state_store>();
  test::fails_with(errc::access_denied, [&] { read(from, store, 100); }, "the table is gone");
  CHECK(from->story == std::vector<std::string>{"drains", "p ended"});
  CHECK(testing::run(store->load(key))->head.position == position(3));
}

TEST_CASE("that checkpoints are where no other worker sees them is said, once, when others may take over", "[framework][assignment]") {
  for (bool const in_memory : {true, false}) {
    CAPTURE(in_memory);
    auto const from = std::make_shared<tended>();
    auto work = [&](assignment_view& pipeline) -> task<> {
      for (int i = 0; i != 2; ++i) {
        task<fenced_partition> fencing = pipeline.fence("p", std::nullopt);
        (void)co_await std::move(fencing);
      }
      from->assign();
    };
    from->work = work;
    std::shared_ptr<state_store> store = std::make_shared<memory_state_store>();
    if (!in_memory) store = std::make_shared<test::forwarding_store>(store);
    settings s = keeping_in(store, 1);
    std::vector<std::string> said;
    s.log = logger(log_level::warning, [&](log_level, std::string_view text) { said.emplace_back(text); });
    read(from, std::move(s), 1);
    REQUIRE(said.size() == (in_memory ? 1 : 0));
    if (in_memory) CHECK(said[0].find("in the memory of this process") != std::string::npos);
  }
}

TEST_CASE("a partition that was fenced takes no more commits of who had it before", "[framework][assignment]") {
  for (bool const begun : {false, true}) {
    CAPTURE(begun);
    auto const store = std::make_shared<memory_state_store>();
    if (begun) testing::run(commit(*store, checkpoint_update(head(position(2), 1, "before"))));
    std::uint64_t const version = begun ? 1 : 0;
    auto const from = std::make_shared<tended>();
    auto work = [&](assignment_view& pipeline) -> task<> {
      task<fenced_partition> fencing = pipeline.fence("p", std::nullopt);
      fenced_partition const found = co_await std::move(fencing);
      CHECK(found.from == (begun ? std::optional(position(2)) : std::nullopt));
      CHECK_FALSE(found.state_is_behind);
      task<std::optional<position>> asking = pipeline.committed("p");
      std::optional<position> const committed = co_await std::move(asking);
      CHECK(committed == found.from);
      bool refused = false;
      try {
        task<> late = commit(*store, checkpoint_update(head(position(9), version + 1, "before")));
        co_await std::move(late);
      } catch (error const& e) {
        refused = e.code() == errc::stale;
      }
      CHECK(refused);
      from->assign();
    };
    from->work = work;
    read(from, store, 2);
    CHECK(from->opened_behind == (begun ? std::optional(position(2)) : std::nullopt));
    CHECK(testing::run(store->load(key))->head.position == position(begun ? 4 : 2));
  }
}

TEST_CASE("a partition that another worker takes before the source hears of it goes on there, and is no failure here",
          "[framework][assignment]") {
  for (bool const shares : {true, false}) {
    CAPTURE(shares);
    auto const store = std::make_shared<memory_state_store>();
    auto const from = std::make_shared<tended>();
    auto work = [&](assignment_view& pipeline) -> task<> {
      if (shares) {
        task<fenced_partition> fencing = pipeline.fence("p", std::nullopt);
        (void)co_await std::move(fencing);
      }
      from->assign();
      co_await sleep_for(2500ms);
      task<std::optional<saved_checkpoint>> looking = store->load(key);
      std::optional<saved_checkpoint> const there = co_await std::move(looking);
      REQUIRE(there);
      task<> taking = commit(*store, checkpoint_update(head(position(9), there->head.version + 1, "another")));
      co_await std::move(taking);
      while (from->story.empty()) co_await from->changes.wait();
      throw error(errc::unavailable, "tended: done");
    };
    from->work = work;
    settings s = keeping_in(store, 1);
    std::vector<std::string> said;
    s.log = logger(log_level::warning, [&](log_level, std::string_view text) { said.emplace_back(text); });
    test::fails_with(shares ? errc::unavailable : errc::stale, [&] { read(from, std::move(s), 100); });
    CHECK(from->story.front() == (shares ? "p ended" : "p halted"));
    CHECK(testing::run(store->load(key))->head.position == position(9));
    auto const taken =
        std::ranges::count_if(said, [](std::string const& x) { return x.find("another worker has taken a partition") != x.npos; });
    CHECK(taken == (shares ? 1 : 0));
  }
}

TEST_CASE("a checkpoint without state is moved to where others have got, and one with state stays", "[framework][assignment]") {
  for (bool const has_state : {false, true}) {
    CAPTURE(has_state);
    auto const store = std::make_shared<memory_state_store>();
    std::vector<state_change> changes{state_change::put("(history)", "then", {std::byte(1)})};
    if (has_state) changes.push_back(state_change::put("window", "key", {std::byte(1)}));
    testing::run(commit(*store, checkpoint_update(head(position(2), 1, "before"), std::move(changes))));
    auto const from = std::make_shared<tended>();
    std::optional<fenced_partition> found;
    auto work = [&](assignment_view& pipeline) -> task<> {
      task<fenced_partition> behind = pipeline.fence("p", position(1));
      found = co_await std::move(behind);
      CHECK(found->from == position(2));
      CHECK(found->stood == position(2));
      CHECK_FALSE(found->state_is_behind);
      task<fenced_partition> ahead = pipeline.fence("p", position(7));
      found = co_await std::move(ahead);
      throw error(errc::unavailable, "tended: done");
    };
    from->work = work;
    test::fails_with(errc::unavailable, [&] { read(from, store, 1); }, "tended: done");
    CHECK(found->from == position(has_state ? 2 : 7));
    CHECK(found->stood == position(2));
    CHECK(found->state_is_behind == has_state);
    auto const saved = testing::run(store->load(key));
    CHECK(saved->head.position == found->from);
    CHECK(saved->head.version == 3);
    CHECK(saved->entries.size() == (has_state ? 3 : 2));  // and that it was fenced
  }
}

TEST_CASE("what is written outside of the store has the number of its commit, however often the partition was fenced",
          "[framework][assignment]") {
  using all = std::vector<std::string>;
  auto const store = std::make_shared<memory_state_store>();
  numbered_sink const out;
  auto const told = [&out] { return std::exchange(*out.story, {}); };
  work(store, out, 1, 2, kept_rows::all);
  CHECK(told() == all{"from 0", "1: 1 rows", "2: 1 rows"});
  test::fails_with(errc::unavailable, [&] { work(store, out, 1, 1, kept_rows::all, true); });
  CHECK(told() == all{"from 2", "3: 1 rows"});  // which no checkpoint has
  work(store, out, 3, 2, kept_rows::all);
  CHECK(told() == all{"from 2", "3: 1 rows", "4: 1 rows"});
  work(store, out, 0, 1, kept_rows::all);
  CHECK(told() == all{"from 4", "5: 1 rows"});
  CHECK(testing::run(store->load(key))->head.version == 10);
}

TEST_CASE("the first commit of who takes a partition over takes its number, also without rows", "[framework][assignment]") {
  using all = std::vector<std::string>;
  auto const store = std::make_shared<memory_state_store>();
  numbered_sink const out;
  work(store, out, 1, 2, kept_rows::none);
  CHECK(*out.story == all{"from 0", "1: 0 rows"});
  work(store, out, 0, 1, kept_rows::none);
  CHECK(*out.story == all{"from 0", "1: 0 rows", "from 2"});
}

namespace {

// What was kept for a partition that "p" goes on from.
void keep_for_old(state_store& store, std::uint64_t done, bool state) {
  std::vector<state_change> changes{state_change::put("(history)", "then", {std::byte(1)})};
  if (state) changes.push_back(state_change::put("window", "key", {std::byte(1)}));
  checkpoint_update update(head(position(done), 1, "before"), std::move(changes));
  testing::run(store.commit(checkpoint_key(key.pipeline, key.stream, "old"), std::move(update)));
}

}  // namespace

TEST_CASE("a partition that others have begun stays where it is, when there is state to take over", "[framework][assignment]") {
  for (bool const state : {false, true}) {
    CAPTURE(state);
    auto const store = std::make_shared<memory_state_store>();
    keep_for_old(*store, tended::end_of_those, state);
    auto const from = std::make_shared<tended>();
    from->before.emplace_back("between", true);  // which has none of its own
    from->before.emplace_back("old", true);
    std::optional<fenced_partition> found;
    auto work = [&](assignment_view& pipeline) -> task<> {
      task<fenced_partition> fencing = pipeline.fence("p", position(7));
      found = co_await std::move(fencing);
      throw error(errc::unavailable, "tended: done");
    };
    from->work = work;
    test::fails_with(errc::unavailable, [&] { read(from, store, 1); }, "tended: done");
    CHECK(found->from == (state ? std::nullopt : std::optional(position(7))));
    CHECK(found->state_is_behind == state);
    CHECK(testing::run(store->load(key))->head.position == (state ? position() : position(7)));
  }
}

TEST_CASE("state of a partition that was not read to its end is not taken over, unless there is no more of it", "[framework][assignment]") {
  for (bool const gone : {false, true}) {
    CAPTURE(gone);
    auto const store = std::make_shared<memory_state_store>();
    keep_for_old(*store, tended::end_of_those - 1, true);
    auto const from = std::make_shared<tended>();
    from->before.emplace_back("old", true, gone);
    from->assign();
    std::string log;
    settings s = keeping_in(store, 1);
    s.log = logger(log_level::error, [&](log_level, std::string_view text) { log += text; });
    application app(std::move(s));
    auto until_it_halts = [&](assignment_view&) -> task<> {
      while (from->story.empty()) co_await from->changes.wait();
      app.stop();
    };
    from->work = until_it_halts;
    app.use_source(from, [](auto& pipeline) {
      pipeline.use_stream([](stream<int> in, stream_context&) -> task<> {
        while (co_await in.next()) {}
      });
    });
    if (gone) {  // so far that it is not the handler's
      test::fails_with(errc::incompatible, [&] { testing::run(app.serve()); }, "an operator called \"window\"");
      CHECK(log.find("records are lost (stream tended, partition old, pipeline test/tended): it is gone, and was done up to 4 only") !=
            std::string::npos);
    } else {
      test::fails_with(errc::misuse, [&] { testing::run(app.serve()); }, "partition old", "done up to 4 only", "goes on in p");
      CHECK(log.find("records are lost") == std::string::npos);
    }
  }
}

TEST_CASE("state that may be of a partition, of whose past nobody knows, is named in a warning", "[framework][assignment]") {
  for (bool const state : {false, true}) {
    CAPTURE(state);
    auto const store = std::make_shared<memory_state_store>();
    keep_for_old(*store, tended::end_of_those, state);
    auto const from = std::make_shared<tended>();
    from->before.emplace_back("between", true, true);
    from->assign();
    from->work = [](assignment_view&) -> task<> { co_return; };
    std::string log;
    settings s = keeping_in(store, 1);
    s.log = logger(log_level::warning, [&](log_level, std::string_view text) { log += text; });
    application app(std::move(s));
    app.use_source(from, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<int> in, stream_context&) -> task<> {
        (void)co_await in.next();
        app.stop();
        while (co_await in.next()) {}
      });
    });
    testing::run(app.serve());
    bool const said = log.find("it goes on from between, without a checkpoint and gone") != std::string::npos &&
                      log.find("of what there is of old") != std::string::npos;
    CHECK(said == state);
  }
}
