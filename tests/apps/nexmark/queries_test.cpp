#include <generator.hpp>
#include <hand_loops.hpp>
#include <in_chunks.hpp>
#include <queries.hpp>

#include "answers.hpp"
#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/node_server.hpp"
#include "support/npm_package.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <weir/instant.hpp>
#include <weir/testing/run.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace nexmark;
using weir::test::temporary_folder;

namespace {

using row = output::row;
using rows = std::vector<row>;

// A query's rows.
rows ask(query const& q, std::vector<event>& events, std::size_t chunk = 256) {
  rows kept;
  output out(kept);
  weir::testing::run(q.run(in_chunks(events, chunk), out));
  return kept;
}
query const& named(std::string const& name) {
  for (query const& q : all_queries())
    if (name == q.name) return q;
  throw std::out_of_range(name);
}

// By a clock that has gone on by a millisecond each time it is asked.
rows ask_by_clock(std::vector<event>& events) {
  rows kept;
  output out(kept);
  weir::instant now = 0;
  weir::testing::run(q12_bids_by_clock(in_chunks(events), out, [&now] { return now += 1'000'000; }));
  return kept;
}

// The last word on each key, the first `keys` fields.
rows last_of_each(rows const& all, std::ptrdiff_t keys) {
  std::map<row, row> last;
  for (row const& r : all) last[row(r.begin(), r.begin() + keys)] = r;
  rows out;
  for (auto const& [key, r] : last) out.push_back(r);
  return out;
}
// What a reader of q19 has at the end: each row is put in at its rank, and those below move down.
rows ranking(rows const& all) {
  std::map<std::int64_t, rows> by_auction;
  for (row const& r : all) {
    rows& ten = by_auction[r[0]];
    ten.insert(ten.begin() + (r[1] - 1), r);
    if (ten.size() > 10) ten.pop_back();
  }
  rows out;
  for (auto& [auction, ten] : by_auction)
    for (std::size_t i = 0; i != ten.size(); ++i) {
      ten[i][1] = static_cast<std::int64_t>(i) + 1;
      out.push_back(ten[i]);
    }
  return out;
}

std::string text(rows const& all) {
  std::string out;
  for (row const& r : all) {
    for (std::size_t i = 0; i != r.size(); ++i) out += (i == 0 ? "" : ",") + std::to_string(r[i]);
    out += '\n';
  }
  return out;
}
void write_events(std::vector<event> const& events, temporary_folder const& to) {
  rows people, auctions, bids;
  for (std::size_t i = 0; i != events.size(); ++i) {
    auto const n = static_cast<std::int64_t>(i);
    if (auto const* p = std::get_if<person>(&events[i])) people.push_back({n, p->id, p->time, p->city, p->state});
    if (auto const* a = std::get_if<auction>(&events[i]))
      auctions.push_back({n, a->id, a->seller, a->category, a->initial_bid, a->reserve, a->time, a->expires});
    if (auto const* b = std::get_if<bid>(&events[i])) bids.push_back({n, b->auction, b->bidder, b->price, b->time, b->channel});
  }
  to.write("person.csv", text(people));
  to.write("auction.csv", text(auctions));
  to.write("bid.csv", text(bids));
}
std::map<std::string, rows> ask_all(std::vector<event>& events) {
  std::map<std::string, rows> out;
  for (query const& q : all_queries()) {
    std::string const name = q.name;
    rows const given = name == "q12" ? ask_by_clock(events) : ask(q, events);
    out[name == "q5 60 s / 1 s" ? "q5_minute" : name] = name == "q4"    ? last_of_each(given, 1)
                                                        : name == "q18" ? last_of_each(given, 2)
                                                        : name == "q19" ? ranking(given)
                                                                        : given;
  }
  return out;
}

struct difference {
  std::size_t rows, of;  // that differ, of how many
};
std::map<std::string, difference> compare(std::vector<event> const& events, std::map<std::string, rows> const& ours,
                                          std::filesystem::path const& duckdb) {
  temporary_folder const folder;
  write_events(events, folder);
  for (auto const& [name, all] : ours) folder.write("ours_" + name + ".csv", text(all));
  weir::test::child_program node(duckdb, {"/usr/bin/node", "-e", test::answers_script(), folder.path().string()});
  std::map<std::string, difference> out;
  for (std::string line = node.read_line(); !line.empty(); line = node.read_line()) {
    std::istringstream in(line);
    std::string name;
    std::size_t of = 0, differ = 0;
    if (!(in >> name >> of >> differ)) throw std::runtime_error(line);
    out[name] = {differ, of};
  }
  return out;
}

}  // namespace

// 500 events a second for two minutes: events leave the windows of all queries, and sessions end.
TEST_CASE("the answers to all queries are those of another engine") {
  auto const duckdb = weir::test::has_node() ? weir::test::npm_package("@duckdb/node-api", "1.5.6-r.1") : std::nullopt;
  if (!duckdb && weir::test::skip("needs node, npm, and @duckdb/node-api from it")) return;
  generator_options o;
  o.per_second = 500;
  auto events = generate(60'000, o);
  auto ours = ask_all(events);
  auto const found = compare(events, ours, *duckdb);
  CHECK(found.size() == 18);
  for (auto const& [name, d] : found) {
    INFO(name << ": " << d.rows << " rows differ, of " << d.of);
    CHECK(d.of > 0);
    CHECK(d.rows == 0);
  }

  SECTION("and a wrong row would be found in each") {
    for (auto& [name, all] : ours) ++all.back().back();
    for (auto const& [name, d] : compare(events, ours, *duckdb)) {
      INFO(name);
      CHECK(d.rows == 2);
    }
  }
}

TEST_CASE("how events are cut into chunks changes no answer") {
  auto events = generate(20'000);
  for (query const& q : all_queries()) {
    if (std::string(q.name) == "q12") continue;  // by the machine's clock
    INFO(q.name);
    CHECK(ask(q, events, 1) == ask(q, events, 1000));
  }
}

TEST_CASE("the loops by hand give the rows of the queries") {
  auto events = generate(50'000);
  for (std::string const name : {"q0", "q1", "q2", "q3", "q17"}) {
    INFO(name);
    output by_hand, ours;
    hand_loop_of(name)(events, by_hand);
    weir::testing::run(named(name).run(in_chunks(events), ours));
    CHECK(by_hand.rows() > 0);
    CHECK(by_hand.rows() == ours.rows());
    CHECK(by_hand.sum() == ours.sum());
  }
  CHECK(hand_loop_of("q4") == nullptr);
}

TEST_CASE("no events give no rows") {
  std::vector<event> none;
  for (query const& q : all_queries()) {
    INFO(q.name);
    CHECK(ask(q, none).empty());
  }
}

// An auction from 5 ms to 9 ms: bids of both moments count, also the one that came before it, and others do not.
TEST_CASE("a bid counts from the auction's time to its expiry, and the earliest of the highest wins") {
  constexpr weir::instant ms = 1'000'000;
  auto const offer = [](std::int64_t bidder, std::int64_t price, weir::instant time) { return bid{7, bidder, price, time, 0}; };
  std::vector<event> events{offer(1, 900, 4 * ms), offer(2, 500, 5 * ms), auction{7, 3, 10, 1, 2, 5 * ms, 9 * ms},
                            offer(4, 400, 6 * ms), offer(5, 500, 9 * ms), offer(6, 901, 10 * ms)};
  CHECK(ask(named("q9"), events) == rows{{7, 3, 10, 2, 500, 5 * ms}});
  events.erase(events.begin() + 1);
  CHECK(ask(named("q9"), events) == rows{{7, 3, 10, 5, 500, 9 * ms}});
  events.erase(events.begin() + 2, events.begin() + 4);
  CHECK(ask(named("q9"), events).empty());
}
