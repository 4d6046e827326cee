// State of an earlier version of a program, and what makes it that of this one. `totals` is a stage with entries: one per number that came,
// with how often, which the first version kept in one byte and the second as a codec'd `u32`.
#include <weir/migration.hpp>

#include <weir/aggregate_codec.hpp>
#include <weir/application.hpp>
#include <weir/codec.hpp>
#include <weir/failure_policy.hpp>
#include <weir/fused_stream.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operator_state.hpp>
#include <weir/read_through.hpp>
#include <weir/schema_id.hpp>
#include <weir/stage.hpp>
#include <weir/testing/delivery_check.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/forwarding_store.hpp"
#include "support/keeping_in.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using test::fails_with;
using test::keeping_in;
using testing::script;

namespace {

using row_bytes = std::vector<std::byte>;

// How often each number came, `number * 100 + times` for each. A row has a byte before the count, and one behind it.
template <class Count> class totals : public forwards_marks {
public:
  explicit totals(std::string id) : id_(std::move(id)) {}
  std::string_view state_id() const { return id_; }
  std::string state_schema() const { return "totals; value " + schema_of<Count>() + " at 1"; }
  bool element(int& x, auto t, auto down) {
    changed_.insert(x);
    int y = 100 * x + static_cast<int>(++counts_[x]);
    return down.element(y, t);
  }
  void save(state_writer to) {
    to.put("", {});
    for (int const x : std::exchange(changed_, {})) {
      row_bytes row{std::byte(7)};
      encode_state(counts_[x], row);
      row.push_back(std::byte(9));
      to.put(std::to_string(x), std::move(row));
    }
  }
  void restore(std::span<state_entry const> from) {
    for (state_entry const& e : from.subspan(1)) {
      CHECK(e.value.size() == 2 + sizeof(Count));
      CHECK(e.value.front() == std::byte(7));
      CHECK(e.value.back() == std::byte(9));
      counts_[std::stoi(e.key)] = decode_state<Count>(std::span(e.value).subspan(1, sizeof(Count)));
    }
  }

private:
  std::string id_;
  std::map<int, Count> counts_;
  std::set<int> changed_;
};
template <class Count> auto counting(std::string id = "totals") {
  return simple_stage<totals<Count>, unchanged>(totals<Count>(std::move(id)));
}
std::uint32_t widened(std::uint8_t n) { return n; }
migration to_second() { return migrate_rows<std::uint8_t, std::uint32_t>("totals", widened); }

// A program over two numbers, or, when it runs again, what comes behind them.
struct world {
  std::shared_ptr<memory_state_store> store = std::make_shared<memory_state_store>();
  memory_table<int> out{store};

  template <class Stage> void run(script<int> input, Stage stage, std::vector<migration> migrations = {}) const {
    application app(keeping_in(store, 1));
    app.use_memory_stream(std::move(input), [&](auto& pipeline) {
      for (migration& m : migrations) pipeline.use_migration(std::move(m));
      pipeline.use_sink("out", out).use_stream([stage](stream<int> s, stream_context& context) -> task<> {
        auto all = std::move(s) | Stage(stage);
        while (int* const x = co_await all.next()) co_await context.sink<int>("out").write(*x);
      });
    });
    testing::run(app.serve());
  }
  saved_checkpoint kept() const {
    auto const load = [](state_store& s) -> task<std::optional<saved_checkpoint>> {
      co_return co_await s.load(checkpoint_key("test/memory", "memory", "0"));
    };
    return testing::run(load(*store)).value();
  }
  std::map<std::string, std::string> schemas() const {
    std::map<std::string, std::string> out;
    for (state_entry const& e : kept().entries)
      if (e.operator_id == schema_id) out[e.key] = std::string(reinterpret_cast<char const*>(e.value.data()), e.value.size());
    return out;
  }
};
script<int> first_part() { return script<int>().elements({5, 6, 5}); }
script<int> all_of_it() { return script<int>().elements({5, 6, 5}).elements({5, 6}); }
using rows = std::vector<int>;
using texts = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("a checkpoint says how operators lay out what they keep", "[framework][schema]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  CHECK(w.schemas() == texts{{"totals", "totals; value u8 at 1"}});
}

TEST_CASE("an operator whose layout has changed is refused, with both and what to do", "[framework][schema]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  saved_checkpoint const before = w.kept();
  fails_with(
      errc::incompatible, [&] { w.run(all_of_it(), counting<std::uint32_t>()); }, "\"totals\"", "`totals; value u8 at 1`",
      "`totals; value u32 at 1`", "pipeline test/memory", "use_migration", "--drop-state", "another name");
  CHECK(w.kept() == before);
  w.run(all_of_it(), counting<std::uint8_t>());
  CHECK(w.out.rows() == rows{501, 601, 502, 503, 602});
}

TEST_CASE("a checkpoint that says nothing of layouts is taken as it is, and says it from then on", "[framework][schema]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  auto const forget = [](state_store& s) -> task<> {
    checkpoint_key const key("test/memory", "memory", "0");
    checkpoint_head head = (co_await s.load(key))->head;
    ++head.version;
    std::vector<state_change> changes;
    changes.push_back(state_change::erase_prefix(std::string(schema_id), ""));
    checkpoint_update update(head, std::move(changes));
    co_await s.commit(key, std::move(update));
  };
  testing::run(forget(*w.store));
  REQUIRE(w.schemas().empty());
  w.run(all_of_it(), counting<std::uint8_t>());
  CHECK(w.out.rows() == rows{501, 601, 502, 503, 602});
  CHECK(w.schemas() == texts{{"totals", "totals; value u8 at 1"}});
}

TEST_CASE("rows are migrated before the first pull, and written with the next checkpoint", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  w.run(all_of_it(), counting<std::uint32_t>(), {to_second()});
  CHECK(w.out.rows() == rows{501, 601, 502, 503, 602});
  CHECK(w.schemas() == texts{{"totals", "totals; value u32 at 1"}});
  for (state_entry const& e : w.kept().entries)
    if (e.operator_id == "totals" && !e.key.empty()) CHECK(e.value.size() == 6);
}

TEST_CASE("a migration of an operator that has left entries in the store is refused", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  auto const leave = [](state_store& s) -> task<> {
    checkpoint_key const key("test/memory", "memory", "0");
    checkpoint_head head = (co_await s.load(key))->head;
    ++head.version;
    std::vector<state_change> changes;
    changes.push_back(state_change::put("totals" + std::string(read_through_suffix), "7", {std::byte(1)}));
    checkpoint_update update(head, std::move(changes));
    co_await s.commit(key, std::move(update));
  };
  testing::run(leave(*w.store));
  saved_checkpoint const before = w.kept();
  fails_with(
      errc::incompatible, [&] { w.run(all_of_it(), counting<std::uint32_t>(), {to_second()}); }, "\"totals\"", "working_set",
      "--drop-state");
  CHECK(w.kept() == before);
}

TEST_CASE("a migration that stays registered has nothing to do the second time", "[framework][migration]") {
  world const w;
  int ran = 0;
  auto const counted = migrate_rows<std::uint8_t, std::uint32_t>("totals", [&ran](std::uint8_t n) {
    ++ran;
    return std::uint32_t(n);
  });
  w.run(first_part(), counting<std::uint8_t>());
  w.run(all_of_it(), counting<std::uint32_t>(), {counted});
  CHECK(ran == 2);
  w.run(all_of_it().element(5), counting<std::uint32_t>(), {counted});
  CHECK(ran == 2);
  CHECK(w.out.rows() == rows{501, 601, 502, 503, 602, 504});
}

TEST_CASE("migrations run in the order of their registration, each on what the one before gave", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>("old"));
  w.run(all_of_it(), counting<std::uint64_t>("counts"),
        {rename_operator("old", "counts"), migrate_rows<std::uint8_t, std::uint32_t>("counts", widened),
         migrate_rows<std::uint32_t, std::uint64_t>("counts", [](std::uint32_t n) { return std::uint64_t(n); })});
  CHECK(w.out.rows() == rows{501, 601, 502, 503, 602});
  CHECK(w.schemas() == texts{{"counts", "totals; value u64 at 1"}});
  for (state_entry const& e : w.kept().entries) CHECK(e.operator_id != "old");
}

TEST_CASE("a migration of one's own sees all entries of its operator, and no others", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  std::vector<std::string> keys;
  migration const drops_six("totals", "totals; value u8 at 1", "totals; value u32 at 1", [&keys](operator_entries& all) {
    for (auto const& [key, value] : all) keys.push_back(key);
    all.erase("6");
    std::vector<std::byte> row{std::byte(7)};
    encode_state(std::uint32_t(40), row);
    row.push_back(std::byte(9));
    all["5"] = row;
  });
  w.run(all_of_it(), counting<std::uint32_t>(), {drops_six});
  CHECK(keys == std::vector<std::string>{"", "5", "6"});
  CHECK(w.out.rows() == rows{501, 601, 502, 541, 601});
}

TEST_CASE("a migration for another layout, or another operator, does nothing", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  auto const never = [](auto) -> std::uint64_t { throw std::logic_error("called"); };
  w.run(all_of_it(), counting<std::uint8_t>(),
        {migrate_rows<std::uint16_t, std::uint64_t>("totals", never), migrate_rows<std::uint8_t, std::uint64_t>("other", never),
         rename_operator("other", "totals"), migration("totals", "totals; value u8", "new", [](operator_entries&) { FAIL("called"); })});
  CHECK(w.out.rows() == rows{501, 601, 502, 503, 602});
}

TEST_CASE("a migration that throws halts the partition, which says what and where, and changes nothing", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  saved_checkpoint const before = w.kept();
  auto const broken = migrate_rows<std::uint8_t, std::uint32_t>("totals", [](std::uint8_t n) -> std::uint32_t {
    if (n == 2) throw std::runtime_error("two is too many");
    return n;
  });
  fails_with(
      errc::incompatible, [&] { w.run(all_of_it(), counting<std::uint32_t>(), {broken}); }, "migration: cannot change a checkpoint",
      "stream memory", "partition 0", "pipeline test/memory", "operator totals", "`u8` to `u32`", "two is too many");
  CHECK(w.kept() == before);
}

TEST_CASE("rows that are not what their schema says are no reason to read on", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  migration const cuts("totals", "totals; value u8 at 1", "totals; value u16 at 1", [](operator_entries& all) { all["5"].resize(2); });
  migration const empties("totals", "totals; value u8 at 1", "totals; value u16 at 1", [](operator_entries& all) { all["5"].clear(); });
  auto const from_16 = migrate_rows<std::uint16_t, std::uint32_t>("totals", [](std::uint16_t n) { return std::uint32_t(n); });
  for (migration const& m : {cuts, empties})
    fails_with(errc::corrupt, [&] { w.run(all_of_it(), counting<std::uint32_t>(), {m, from_16}); }, "operator totals");
}

TEST_CASE("state under both names is not mixed", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>("old"));
  w.run(first_part().element(1), counting<std::uint8_t>("totals"), {rename_operator("old", "totals")});
  auto const add_old = [](state_store& s) -> task<> {
    checkpoint_key const key("test/memory", "memory", "0");
    checkpoint_head head = (co_await s.load(key))->head;
    ++head.version;
    std::vector<state_change> changes;
    changes.push_back(state_change::put("old", "", {}));
    checkpoint_update update(head, std::move(changes));
    co_await s.commit(key, std::move(update));
  };
  testing::run(add_old(*w.store));
  fails_with(
      errc::incompatible, [&] { w.run(all_of_it(), counting<std::uint8_t>("totals"), {rename_operator("old", "totals")}); },
      "operator old, which is called totals now", "there is state of both");
}

TEST_CASE("a migration between equal layouts is refused when it is made", "[framework][migration]") {
  fails_with(errc::invalid_pipeline, [] { migrate_rows<int, int>("totals", [](int n) { return n; }); }, "totals", "`i32`", "schema()");
  fails_with(errc::invalid_pipeline, [] { migration("totals", "a", "a", [](operator_entries&) {}); });
}

TEST_CASE("a failing handler after a migration begins again from the migrated state", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  application app(keeping_in(w.store, 100));
  app.use_memory_stream(all_of_it(), [&](auto& pipeline) {
    auto const policy = failure_policy().retry(retry_policy().attempts(3).when([](std::exception const&) { return true; }));
    pipeline.use_migration(to_second()).on_failure(policy).use_sink("out", w.out);
    pipeline.use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto all = std::move(s) | counting<std::uint32_t>();
      while (int* const x = co_await all.next()) {
        if (context.attempt() < 3) throw std::runtime_error("poisoned");
        co_await context.sink<int>("out").write(*x);
      }
    });
  });
  testing::run(app.serve());
  CHECK(w.out.rows() == rows{501, 601, 502, 503, 602});
}

namespace {

// Has a checkpoint from the beginning.
class seeded_store final : public test::forwarding_store {
public:
  seeded_store(std::shared_ptr<state_store> inside, saved_checkpoint seed) noexcept
      : forwarding_store(std::move(inside)), seed_(std::move(seed)) {}
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override {
    std::optional<saved_checkpoint> found = co_await inside().load(key);
    if (found) co_return found;
    std::vector<state_change> all;
    for (state_entry const& e : seed_.entries) all.push_back(state_change::put(e.operator_id, e.key, e.value));
    checkpoint_head head = seed_.head;
    head.version = 1;
    checkpoint_update update(head, std::move(all));
    co_await inside().commit(key, std::move(update));
    found = co_await inside().load(key);
    co_return found;
  }

private:
  saved_checkpoint seed_;
};

}  // namespace

TEST_CASE("a crash anywhere around a migration changes nothing in the end", "[framework][migration]") {
  world const w;
  w.run(first_part(), counting<std::uint8_t>());
  saved_checkpoint const seed = w.kept();
  auto const build = [](application& app, testing::delivery_trial& trial) {
    app.use_source(trial.source(all_of_it()), [&](auto& pipeline) {
      pipeline.use_migration(to_second()).use_stream([&out = trial.idempotent()](stream<int> s, stream_context&) -> task<> {
        auto all = std::move(s) | counting<std::uint32_t>();
        while (int* const x = co_await all.next()) co_await out.write(std::to_string(*x), "reached");
      });
    });
  };
  testing::delivery_check check(build);
  check.store([&seed](std::shared_ptr<state_store> inside) { return std::make_shared<seeded_store>(std::move(inside), seed); });
  auto const report = check.expect({{"503", "reached"}, {"602", "reached"}}).run();
  INFO(report.text());
  CHECK(report.passed());
  CHECK(report.trials > 50);
}
