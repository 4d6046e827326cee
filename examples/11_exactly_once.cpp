// Results and checkpoint are one transaction: however often the program is killed and started again, each count is in the table once.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/sqlite/table.hpp>
#include <weir/weir.hpp>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <tuple>

using namespace std::chrono_literals;

struct visit {
  std::string page;
  std::chrono::sys_seconds time;
};
struct visits {
  std::string page;
  std::int64_t minute, count;
};
constexpr std::chrono::sys_seconds at(std::chrono::seconds s) { return std::chrono::sys_seconds(s); }

weir::task<> count_visits(weir::stream<visit> in, weir::stream_context& context) {
  auto counted =
      std::move(in) | weir::event_time(&visit::time, weir::bounded_disorder(5s)) | weir::key_by(&visit::page) |
      weir::tumbling_window(1min, weir::late::drop()) | weir::aggregate(weir::count()) |
      weir::map([](auto const& c) { return visits{c.key, c.window.start / 60'000'000'000, static_cast<std::int64_t>(c.value)}; }) |
      weir::write_to(context.sink<visits>("visits"));
  co_await counted;
}

int main() {
  weir::testing::script<visit> log;
  log.elements({{"/", at(1s)}, {"/prices", at(20s)}, {"/", at(59s)}, {"/", at(61s)}, {"/prices", at(125s)}});

  // [readme
  auto const store = std::make_shared<weir::sqlite::state_store>("visits.sqlite");
  store->in_transaction(
      [](weir::sqlite::database& db) { db.execute("CREATE TABLE IF NOT EXISTS visits(page, minute, count, PRIMARY KEY(page, minute))"); });
  weir::sqlite::table<visits> const table(store, "INSERT OR REPLACE INTO visits VALUES(?, ?, ?)",
                                          [](visits const& v) { return std::tuple(v.page, v.minute, v.count); });
  weir::application app({.name = "visits", .checkpoints = store});
  app.use_memory_stream(log, [&](auto& pipeline) { pipeline.use_sink("visits", table).use_stream(count_visits); });
  // readme]
  int const code = app.run();

  weir::sqlite::database file("visits.sqlite");
  auto rows = file.prepare("SELECT page, minute, count FROM visits ORDER BY minute, page");
  while (rows.step()) std::cout << rows.text(0) << ", minute " << rows.integer(1) << ": " << rows.integer(2) << '\n';
  return code;
}
