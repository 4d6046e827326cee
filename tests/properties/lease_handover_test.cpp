// Windows over keys that move between shards, which workers share by leases while they come, end, die and stall.
#include <weir/kinesis/hash_key.hpp>
#include <weir/kinesis/lease.hpp>
#include <weir/kinesis/lease_checkpoint.hpp>
#include <weir/kinesis/record.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "properties/dice.hpp"
#include "support/catch.hpp"
#include "transports/kinesis/lease_world.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::lease_world;

namespace {

constexpr instant second = 1'000'000'000;

struct tick {
  std::string symbol;
  instant at = 0;
  std::int64_t size = 0;
};
tick decode(kinesis::record const& r) {
  tick t;
  t.symbol = std::string(r.partition_key());
  std::istringstream fields{std::string(r.data())};
  fields >> t.at >> t.size;
  return t;
}

task<> totals(stream<kinesis::record> in, stream_context& context) {
  auto const rows = context.sink<std::string>("rows"), files = context.sink<std::string>("files");
  auto ticks = std::move(in) | map(decode) | event_time(&tick::at, bounded_disorder(3s)) | key_by(&tick::symbol);
  auto windows = std::move(ticks) | tumbling_window(10s, late::drop()) | aggregate(sum(&tick::size));
  while (auto* x = co_await windows.next()) {
    std::string row = x->key + "@" + std::to_string(x->window.start / second);
    row += " = " + std::to_string(x->value);
    co_await rows.write(row);
    co_await files.write(row);
  }
}

// Ticks up to two seconds out of order, and shards that are split and merged.
class market {
public:
  market(lease_world& w, test::dice& d) : world_(w), dice_(d) {}

  void put(int count) {
    for (; count != 0; --count) {
      std::string const symbol = "S" + std::to_string(dice_.upto(9));
      instant const at = world_.now() - dice_.upto(2) * second;
      std::int64_t const size = std::int64_t{1} << dice_.upto(20);
      totals_[symbol + "@" + std::to_string(at / (10 * second) * 10)] += size;
      test::kinesis_stream& s = world_.stream.stream();
      s.put(s.owner_of(kinesis::hash_key::of(symbol)), symbol, std::to_string(at) + " " + std::to_string(size), world_.now());
    }
  }
  void reshard() {
    auto const open = world_.stream.stream().open();
    auto const at = static_cast<std::size_t>(dice_.upto(static_cast<int>(open.size()) - 1));
    if (open.size() > 1 && (open.size() > 4 || dice_.upto(1) == 0)) {
      std::size_t const one = std::min(at, open.size() - 2);
      world_.stream.merge(open[one], open[one + 1], world_.now());
    } else {
      world_.stream.split(open[at], world_.now());
    }
  }
  // What windows over all of it have.
  std::vector<std::string> expected() const {
    std::vector<std::string> out;
    for (auto const& [window, total] : totals_) out.push_back(window + " = " + std::to_string(total));
    return out;
  }
  task<> wait_until_all_closed(std::chrono::nanoseconds longest) {
    instant const until = world_.now() + longest.count();
    while (world_.rows.rows().size() < totals_.size() && world_.now() < until) co_await sleep_for(1s);
  }

private:
  lease_world& world_;
  test::dice& dice_;
  std::map<std::string, std::int64_t> totals_;
};

std::vector<std::string> sorted(std::vector<std::string> rows) {
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

TEST_CASE("windows close once, with everything in them, whoever of the workers that come, die and stall has their shards",
          "[kinesis][leases][property]") {
  std::size_t reshardings = 0, started = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    lease_world w(2, seed);
    w.handler = totals;
    test::dice dice(seed);
    market m(w, dice);
    w.play([&](async_scope& scope) -> task<> {
      w.start(scope);
      for (int i = 0; i != 40; ++i) {
        co_await sleep_for(std::chrono::milliseconds(500 + dice.upto(6000)));
        m.put(dice.upto(8));
        auto& some = *w.workers[static_cast<std::size_t>(dice.upto(static_cast<int>(w.workers.size()) - 1))];
        auto const alive = std::ranges::count_if(w.workers, [](auto const& one) { return !one->over; });
        switch (dice.upto(9)) {
          case 0: lease_world::kill(some); break;
          case 1: lease_world::end(some); break;
          case 2:
          case 3:
            if (alive < 4) w.start(scope).desk->trouble = dice.upto(15);
            break;
          case 4: some.store->longest = std::chrono::seconds(dice.upto(25)); break;
          case 5: some.store->longest = 0s; break;
          case 6: some.desk->cut = !some.desk->cut; break;
          case 7:
          case 8:
            ++reshardings;
            m.reshard();
            break;
          default: break;
        }
      }
      for (auto const& one : w.workers) {
        if (!one->over) lease_world::kill(*one);
      }
      w.start(scope, "last");
      task<> closing = m.wait_until_all_closed(10min);
      co_await std::move(closing);
    });
    CHECK(sorted(w.rows.rows()) == m.expected());
    CHECK(w.wrong_files() == "");
    CHECK(w.store->zombies == 0);
    started += w.workers.size();
  }
  CHECK(reshardings > 20);
  CHECK(started > 40);
}

TEST_CASE("a shard that a worker of KCL has begun takes over the state of what it came of all the same", "[kinesis][leases]") {
  lease_world w(1);
  w.handler = totals;
  test::dice dice(1);
  market m(w, dice);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    m.put(20);
    co_await sleep_for(5s);
    lease_world::end(first);
    co_await sleep_for(3s);
    REQUIRE(first.over);
    w.stream.split(0, w.now());
    m.put(20);
    for (std::size_t child = 1; child != 3; ++child) {
      auto const& shard = w.stream.stream().shards().at(child);
      REQUIRE_FALSE(shard.records.empty());
      kinesis::lease row;
      row.key = shard.id();
      row.parents = {w.stream.id(0)};
      row.checkpoint = kinesis::lease_checkpoint::parse(shard.sequence_number(shard.records.back().number)).value();
      w.table->put(row);
    }
    w.start(scope);
    task<> closing = m.wait_until_all_closed(10min);
    co_await std::move(closing);
  });
  CHECK(sorted(w.rows.rows()) == m.expected());
  CHECK(w.wrong_files() == "");
  CHECK(w.log.count("records are handled again") == 2);
}
