#include <results/open.hpp>
#include <results/table.hpp>
#include <results/upserts.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <command_line/event_loop.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/sink.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/testing/run.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using command_line::store_kind;
using table = results::table<std::int64_t>;

namespace {

static_assert(weir::transactional_sink<table>);

std::vector<results::statement> inserts(std::vector<std::int64_t> const& numbers) {
  std::vector<results::statement> all;
  for (std::int64_t const n : numbers) all.emplace_back("INSERT INTO numbers VALUES($1)", std::vector<results::value>{n});
  return all;
}

}  // namespace

TEST_CASE("a pipeline with a table of results says which database it is in, and its rows are there when it has ended") {
  weir::test::temporary_folder const folder;
  std::string const file = folder.file("results");
  std::vector<std::string> said;
  {
    weir::settings s;
    s.checkpoints = results::open_checkpoints({store_kind::sqlite, file});
    weir::sqlite::database(file).execute("CREATE TABLE numbers(n)");
    s.log = weir::logger(weir::log_level::info, [&said](weir::log_level, std::string_view text) { said.emplace_back(text); });
    table const numbers(s.checkpoints, inserts);
    weir::testing::script<std::int64_t> source("numbers");
    source.elements({3, 5});
    weir::application app(std::move(s));
    app.use_memory_stream(source, [&](auto& pipeline) {
      pipeline.use_sink("kept", numbers).use_stream([](weir::stream<std::int64_t> in, weir::stream_context& context) -> weir::task<> {
        auto const kept = context.sink<std::int64_t>("kept");
        while (auto* const n = co_await in.next()) co_await kept.write(*n);
      });
    });
    weir::testing::run(app.serve());
  }
  REQUIRE_FALSE(said.empty());
  CHECK(said[0] == "application: numbers -> kept: effects exactly once (transactional sqlite)");
  weir::sqlite::database back(file);
  auto rows = back.prepare("SELECT n FROM numbers ORDER BY n");
  std::vector<std::int64_t> found;
  while (rows.step()) found.push_back(rows.integer(0));
  CHECK(found == std::vector<std::int64_t>{3, 5});
}

TEST_CASE("rows whose checkpoints are elsewhere are written in a transaction of their own, before their commit, all or none") {
  weir::test::temporary_folder const folder;
  std::string const file = folder.file("results");
  weir::sqlite::database(file).execute("CREATE TABLE numbers(n INTEGER CHECK (n < 10))");
  using upserts = results::upserts<std::int64_t>;
  static_assert(weir::outside_sink<upserts> && upserts::promises == weir::guarantee::idempotent);
  upserts const numbers(results::open_database({store_kind::sqlite, file}), inserts);
  CHECK(numbers.kind == "sqlite");
  auto const count = [&] { return weir::sqlite::database(file).number("SELECT count(*) FROM numbers"); };
  weir::checkpoint_key const key("test", "numbers", "0");
  auto const first = numbers.write({1, 2}), more = numbers.write({3});
  CHECK(first->join(*more));
  CHECK(count() == 0);
  command_line::event_loop().run(first->write(key, 1));
  CHECK(count() == 3);
  auto const refused = numbers.write({4, 11});
  CHECK_THROWS_AS(command_line::event_loop().run(refused->write(key, 2)), weir::error);
  CHECK(count() == 3);
  upserts const others(results::open_database({store_kind::sqlite, file}), inserts);
  CHECK_FALSE(first->join(*others.write({5})));
}

TEST_CASE("a table of results is of the kind of the store it is in") {
  auto const memory = std::make_shared<weir::memory_state_store>();
  table const in_memory{weir::memory_table<std::int64_t>(memory)};
  CHECK(in_memory.kind == "memory");
  CHECK(&in_memory.store() == memory.get());
#ifdef WEIR_HAS_POSTGRES
  auto const server = results::open_checkpoints({store_kind::postgres, "host=nowhere.invalid"});  // not connected to
  table const on_server(server, inserts);
  CHECK(on_server.kind == "postgresql");
  CHECK(&on_server.store() == server.get());
#endif
  weir::test::fails_with(weir::errc::invalid_option, [&] { table const refused(memory, inserts); }, "keeps no tables");
}
