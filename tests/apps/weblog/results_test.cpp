#include <results.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <string>

using namespace weblog;
using weir::test::temporary_folder;

namespace {
constexpr weir::instant second = 1'000'000'000;

hit of(std::string client, weir::instant time) {
  hit h;
  h.client = std::move(client);
  h.time = time;
  h.status = 200;
  return h;
}
}  // namespace

TEST_CASE("rows are written in the order of their keys, with times in milliseconds") {
  results r;
  r.sessions.put({"99.6.61.4", 7 * second, 1807 * second, 2});
  r.sessions.put({"100.2.4.116", 9 * second, 1809 * second, 1});
  r.sessions.put({"100.2.4.116", -1 * second, 1799 * second, 3});
  CHECK(r.sessions.csv() ==
        "client,first_request,session_end,requests\n"
        "100.2.4.116,-1000,1799000,3\n"
        "100.2.4.116,9000,1809000,1\n"
        "99.6.61.4,7000,1807000,2\n");
  r.statuses.put({3600 * second, 404, 1});
  r.statuses.put({0, 404, 2});
  r.statuses.put({0, 200, 5});
  CHECK(r.statuses.csv() == "window_start,status,requests\n0,200,5\n0,404,2\n3600000,404,1\n");
  r.sliding.put({600 * second, 4200 * second, 9});
  CHECK(r.sliding.csv() == "window_start,window_end,requests\n600000,4200000,9\n");
  r.top.put({0, "b", 4, 2});
  r.top.put({0, "a", 5, 1});
  CHECK(r.top.csv() == "window_start,client,requests,rank\n0,a,5,1\n0,b,4,2\n");
  r.alerts.put({0, 300 * second, 100, 6});
  CHECK(r.alerts.csv() == "window_start,window_end,requests,errors\n0,300000,100,6\n");
}

TEST_CASE("a corrected row takes the place of the one before it, and a session that joined another goes") {
  results r;
  r.statuses.put({0, 200, 5});
  r.statuses.put({0, 200, 6});
  CHECK(r.statuses.csv() == "window_start,status,requests\n0,200,6\n");
  r.sessions.put({"a", 0, 1800 * second, 1});
  r.sessions.put({"a", 2000 * second, 3800 * second, 1});
  r.sessions.remove({"a", 2000 * second});
  r.sessions.put({"a", 0, 3800 * second, 3});
  CHECK(r.sessions.csv() == "client,first_request,session_end,requests\na,0,3800000,3\n");
}

TEST_CASE("requests that were set aside are all there, equal ones too") {
  results r;
  r.add_late("status-per-hour", of("b", 2 * second));
  r.add_late("sessions-30m", of("b", 2 * second));
  r.add_late("sessions-30m", of("a", 2 * second));
  r.add_late("sessions-30m", of("b", 2 * second));
  CHECK(r.late.csv() ==
        "result,time,client,status\n"
        "sessions-30m,2000,a,200\n"
        "sessions-30m,2000,b,200\n"
        "sessions-30m,2000,b,200\n"
        "status-per-hour,2000,b,200\n");
}

// RFC 4180 section 2, rules 5 to 7.
TEST_CASE("a client that would break a row is quoted") {
  results r;
  r.top.put({0, R"(a,"b")", 1, 1});
  CHECK(r.top.csv() == "window_start,client,requests,rank\n0,\"a,\"\"b\"\"\",1,1\n");
}

TEST_CASE("the ledger is a line of JSON for each result") {
  weir::tally t;
  t.in = 10'000;
  t.out = 9'990;
  t.late = 6;
  t.duplicate = 1;
  t.dead = 2;
  t.open = 1;
  CHECK(ledger_text({}) == "{\n}\n");
  CHECK(ledger_text({{"b", weir::tally()}, {"a", t}}) ==
        "{\n"
        R"(  "a": {"in": 10000, "out": 9990, "late": 6, "duplicate": 1, "dead": 2, "open": 1},)"
        "\n"
        R"(  "b": {"in": 0, "out": 0, "late": 0, "duplicate": 0, "dead": 0, "open": 0})"
        "\n}\n");
}

TEST_CASE("results replace those of an earlier run, and what was set aside then is gone") {
  temporary_folder const folder;
  results first;
  first.statuses.put({0, 200, 5});
  first.add_late("sessions-30m", of("a", 0));
  first.write(folder.path().string(), {});
  CHECK(folder.read("status-per-hour.csv") == first.statuses.csv());
  CHECK(folder.read("sessions-30m.csv") == first.sessions.csv());
  CHECK(folder.read("late.csv") == first.late.csv());
  CHECK(folder.read("ledger.json") == "{\n}\n");

  results second;
  second.write(folder.path().string(), {{"sessions-30m", weir::tally()}});
  CHECK(folder.read("status-per-hour.csv") == "window_start,status,requests\n");
  CHECK_FALSE(std::filesystem::exists(folder.file("late.csv")));
  std::size_t files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(folder.path())) files += entry.is_regular_file() ? 1 : 0;
  CHECK(files == 6);
}

TEST_CASE("results that cannot be written are an error with the file's name") {
  temporary_folder const folder;
  results const r;
  CHECK_THROWS_WITH(r.write(folder.file("no-such-folder"), {}), Catch::Contains("no-such-folder/sessions-30m.csv"));
}
