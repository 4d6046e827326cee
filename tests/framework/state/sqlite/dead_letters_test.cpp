// Dead letters in the file that has the checkpoints.
#include <weir/sqlite/dead_letters.hpp>

#include <weir/application.hpp>
#include <weir/failure_policy.hpp>
#include <weir/fused_stream.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/sqlite/table.hpp>
#include <weir/stage.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/faulty_store.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace weir;
using test::fails_with;
using test::keeping_in;
using testing::fault;
using testing::fault_script;
using testing::script;

namespace {

// Rows that go into the commit behind them, and which SQLite checks.
class to_table {
public:
  static constexpr bool may_hold = true;
  explicit to_table(sqlite::table<int> t) : table_(std::move(t)) {}
  bool element(int& x, auto, auto) {
    if (x == 7) throw std::runtime_error("poisoned");
    rows_.push_back(x);
    return true;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::barrier && !rows_.empty()) m.cut->state().add(table_.write(std::exchange(rows_, {})));
    return down.mark(m);
  }
  bool finish(auto down) { return down.finish(); }
  bool holds() const noexcept { return !rows_.empty(); }

private:
  sqlite::table<int> table_;
  std::vector<int> rows_;
};

std::shared_ptr<sqlite::state_store> open(std::filesystem::path const& file) {
  auto store = std::make_shared<sqlite::state_store>(file);
  store->in_transaction([](sqlite::database& db) { db.execute("CREATE TABLE IF NOT EXISTS numbers(n INTEGER CHECK(n % 5 != 0))"); });
  return store;
}

auto source_of(std::vector<int> const& xs) { return std::make_shared<testing::faulty_source<int>>(script<int>("numbers").elements(xs)); }

std::string in_order(std::filesystem::path const& file, std::string const& select) {
  sqlite::database db(file, sqlite::open_mode::read_only);
  auto rows = db.prepare(select);
  std::string all;
  while (rows.step()) all += std::string(rows.text(0)) + " ";
  return all;
}

}  // namespace

TEST_CASE("a dead letter is kept whole, and marked when it was replayed", "[sqlite][failures]") {
  test::temporary_folder const folder;
  auto const file = folder / "c.sqlite";
  dead_letter l;
  l.pipeline = "ticks/bars";
  l.stream = "file t";
  l.partition = "t";
  l.position = position(312, 5);
  l.payload = std::string("a\0\xff", 3);
  l.error = "tick: cannot decode";
  l.code = "weir:9";
  l.attempts = 3;
  l.died_at = 1'723'161'255'342'000'000;  // 2024-08-08T23:54:15.342Z
  dead_letter empty = l;
  empty.position = position(313, 6);
  empty.payload.clear();
  {
    auto const store = std::make_shared<sqlite::state_store>(file);
    auto const letters = sqlite::dead_letter_table(store);
    checkpoint_update u(checkpoint_head(position(1), 0, 1, "run-1"), {}, {letters.write({l, empty})});
    testing::run(store->commit(checkpoint_key("ticks/bars", "file t", "t"), u));
  }
  sqlite::database db(file);
  auto rows = sqlite::read_dead_letters(db);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].letter == l);
  CHECK(rows[1].letter == empty);
  CHECK_FALSE(rows[0].replayed_at);
  CHECK(sqlite::mark_replayed(db, rows[0].id, 17));
  CHECK_FALSE(sqlite::mark_replayed(db, 99, 17));
  rows = sqlite::read_dead_letters(db);
  CHECK(rows[0].replayed_at == 17);
  CHECK_FALSE(rows[1].replayed_at);
  db.execute("UPDATE dead_letters SET position = 'x' WHERE id = 2");
  fails_with(errc::corrupt, [&] { (void)sqlite::read_dead_letters(db); }, "position", "row 2");
}

TEST_CASE("a record that dies again takes the place of its letter", "[sqlite][failures]") {
  test::temporary_folder const folder;
  auto const store = std::make_shared<sqlite::state_store>(folder / "c.sqlite");
  auto const letters = sqlite::dead_letter_table(store);
  checkpoint_key const key("p", "s", "0");
  dead_letter first;
  first.position = position(7);
  first.error = "one";
  dead_letter second = first;
  second.error = "two";
  testing::run(store->commit(key, checkpoint_update(checkpoint_head(position(7), 0, 1, "r"), {}, {letters.write({first})})));
  store->in_transaction([](sqlite::database& db) { sqlite::mark_replayed(db, 1, 17); });
  testing::run(store->commit(key, checkpoint_update(checkpoint_head(position(8), 0, 2, "r"), {}, {letters.write({second})})));
  store->in_transaction([](sqlite::database& db) {
    auto const rows = sqlite::read_dead_letters(db);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].letter.error == "two");
    CHECK_FALSE(rows[0].replayed_at);
  });
}

TEST_CASE("a file without the table has no dead letters", "[sqlite][failures]") {
  test::temporary_folder const folder;
  sqlite::database db(folder / "d.sqlite");
  CHECK(sqlite::read_dead_letters(db).empty());
}

TEST_CASE("a record whose row the store refuses becomes a dead letter, and no other", "[sqlite][failures]") {
  for (std::uint64_t const records : {1u, 4u, 100u}) {
    INFO("a commit every " << records);
    test::temporary_folder const folder;
    auto const file = folder / "n.sqlite";
    auto const store = open(file);
    sqlite::table<int> const numbers(store, "INSERT INTO numbers VALUES(?)", [](int n) { return std::tuple(n); });
    application app(keeping_in(store, records));
    app.use_source(source_of({1, 2, 3, 4, 5, 6, 8, 9, 10, 11}), [&](auto& pipeline) {
      pipeline.on_failure(failure_policy().dead_letter_to(sqlite::dead_letter_table(store)))
          .use_stream([&](stream<int> s, cancellation) -> task<> {
            auto all = std::move(s) | simple_stage<to_table, unchanged>(to_table(numbers));
            while (co_await all.next()) {}
          });
    });
    testing::run(app.serve());
    CHECK(in_order(file, "SELECT n FROM numbers ORDER BY rowid") == "1 2 3 4 6 8 9 11 ");
    CHECK(in_order(file, "SELECT payload FROM dead_letters ORDER BY id") == "5 10 ");
    CHECK(in_order(file, "SELECT code FROM dead_letters ORDER BY id") == "weir:22 weir:22 ");  // errc::rejected
  }
}

TEST_CASE("whatever goes wrong with a commit, a record is a dead letter once", "[sqlite][failures]") {
  for (fault const f : {fault::fail, fault::lost_ack, fault::delay, fault::crash_before, fault::crash_after}) {
    for (std::uint64_t nth = 1; nth <= 8; ++nth) {
      INFO(testing::text(f) << ", commit " << nth);
      test::temporary_folder const folder;
      auto const file = folder / "n.sqlite";
      fault_script const commits = fault_script("commit").at(nth, f);
      testing::simulation world;
      bool ended = false;
      for (int starts = 0; starts != 5 && !ended; ++starts) {
        auto const kept = open(file);
        sqlite::table<int> const numbers(kept, "INSERT INTO numbers VALUES(?)", [](int n) { return std::tuple(n); });
        application app(keeping_in(std::make_shared<testing::faulty_store>(kept, commits), 2));
        app.use_source(source_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), [&](auto& pipeline) {
          pipeline.on_failure(failure_policy().dead_letter_to(sqlite::dead_letter_table(kept)))
              .use_stream([&](stream<int> s, cancellation) -> task<> {
                auto all = std::move(s) | simple_stage<to_table, unchanged>(to_table(numbers));
                while (co_await all.next()) {}
              });
        });
        try {
          world.run(app.serve());
          ended = true;
        } catch (testing::crashed const&) {
        } catch (error const&) {}
      }
      CHECK(ended);
      CHECK(in_order(file, "SELECT n FROM numbers ORDER BY rowid") == "1 2 3 4 6 8 9 ");
      CHECK(in_order(file, "SELECT payload FROM dead_letters ORDER BY id") == "5 7 10 ");
    }
  }
}
