// The results of a real log, which is out of order by up to 59 s, against what another engine computed from it (data/README.md of the
// shared folder).
#include <log_windows.hpp>
#include <request_decoder.hpp>

#include "support/catch.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"

#include <weir/file/source.hpp>
#include <weir/from.hpp>
#include <weir/testing/run.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weblog;

namespace {

constexpr std::uint64_t lines = 10'000;

std::optional<std::string> data() {
  auto const folder = weir::test::shared_data();
  if (folder) return (*folder / "weblog").string();
  weir::test::skip("WEIR_SHARED names no folder with data");
  return std::nullopt;
}

std::string answer(std::string const& folder, std::string_view name) {
  std::ifstream in(folder + "/" + std::string(name) + ".csv", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

weir::task<std::vector<hit>> read(std::string folder) {
  weir::file::options from;
  from.paths = {folder + "/apache-access.log.gz"};
  request_decoder decode{weir::file::broken_line_policy()};
  weir::file::source source(from);
  auto records = source.open(from.paths.front(), std::nullopt);
  std::vector<hit> all;
  while (auto* const r = co_await records.next()) all.push_back(decode(*r));
  co_return all;
}

options with(std::chrono::seconds bound, command_line::late_policy policy) {
  options o;
  o.time.bound = std::chrono::nanoseconds(bound).count();
  o.time.late = policy;
  return o;
}

// All results of `hits`, in chunks of `chunk`.
void run(std::vector<hit> const& hits, std::size_t chunk, log_run& r) {
  for (auto* const make : {count_sessions, count_statuses, count_sliding, rank_clients, watch_errors})
    weir::testing::run(make(weir::from(hits, chunk), r));
}

void check_results(log_run const& r, std::string const& folder) {
  CHECK(r.out.sessions.csv() == answer(folder, sessions_name));
  CHECK(r.out.statuses.csv() == answer(folder, statuses_name));
  CHECK(r.out.sliding.csv() == answer(folder, sliding_name));
  CHECK(r.out.top.csv() == answer(folder, top_clients_name));
}

constexpr std::string_view names[] = {sessions_name, statuses_name, sliding_name, top_clients_name, alerts_name};

}  // namespace

TEST_CASE("with a bound of 60 s nothing is late, and every row is as another engine has it, whatever the chunks") {
  auto const folder = data();
  if (!folder) return;
  auto const hits = weir::testing::run(read(*folder));
  REQUIRE(hits.size() == lines);
  for (auto const policy : {command_line::late_policy::drop, command_line::late_policy::side, command_line::late_policy::update}) {
    for (std::size_t const chunk : {1u, 37u, 256u}) {
      CAPTURE(static_cast<int>(policy), chunk);
      options const o = with(std::chrono::seconds(60), policy);
      log_run r(o);
      run(hits, chunk, r);
      check_results(r, *folder);
      CHECK(r.out.late.size() == 0);
      for (auto const name : names) {
        auto const t = r.books.sum(name);
        CAPTURE(name);
        CHECK(t.in == lines * (name == sliding_name ? 6 : 1));
        CHECK(t.late == 0);
        CHECK(t.open == 0);
        CHECK(t.balanced());
      }
    }
  }
}

TEST_CASE("with a bound of 10 s every line is in a window or late, and correcting windows ends with the same rows") {
  auto const folder = data();
  if (!folder) return;
  auto const hits = weir::testing::run(read(*folder));

  options const drops = with(std::chrono::seconds(10), command_line::late_policy::drop);
  log_run dropped(drops);
  run(hits, 100, dropped);
  options const sets_aside = with(std::chrono::seconds(10), command_line::late_policy::side);
  log_run aside(sets_aside);
  run(hits, 100, aside);
  std::uint64_t late = 0;
  for (auto const name : names) {
    CAPTURE(name);
    auto const t = dropped.books.sum(name);
    CHECK(t.balanced());
    CHECK(t.in == lines * (name == sliding_name ? 6 : 1));
    CHECK(t.open == 0);
    CHECK(aside.books.sum(name) == t);
    late += t.late;
  }
  CHECK(aside.out.late.size() == late);

  // Late lines and counted ones together are the lines of each hour.
  std::uint64_t counted = 0;
  for (auto const& [key, row] : dropped.out.statuses.rows()) counted += row.requests;
  CHECK(counted + dropped.books.sum(statuses_name).late == lines);

  options const updates = with(std::chrono::seconds(10), command_line::late_policy::update);
  log_run updated(updates);
  run(hits, 100, updated);
  check_results(updated, *folder);
  for (auto const name : names) CHECK(updated.books.sum(name).late == 0);
}

TEST_CASE("five minutes with too many errors are told, those with few requests are not") {
  std::vector<hit> hits;
  auto const add = [&](int minute, std::uint16_t status, int times) {
    for (int i = 0; i != times; ++i) hits.push_back(hit{"c", minute * 60'000'000'000L + i, 0, status});
  };
  add(1, 200, 18);
  add(2, 503, 2);  // 10 % of 20
  add(6, 500, 3);  // all of 3
  add(11, 200, 39);
  add(12, 404, 9);  // not the server's
  add(13, 500, 2);  // 4 % of 50
  options const o;
  log_run r(o);
  weir::testing::run(watch_errors(weir::from(hits), r));
  CHECK(r.out.alerts.csv() == "window_start,window_end,requests,errors\n0,300000,20,2\n");
}
