// Windows over an event hub that workers share by blobs while they come, end, die and stall, and blobs change under their hands.
#include <weir/eventhubs/record.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "properties/dice.hpp"
#include "support/catch.hpp"
#include "transports/eventhubs/shared_hub.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::shared_hub;

namespace {

constexpr instant second = 1'000'000'000;
constexpr std::size_t partitions = 3;

struct tick {
  std::string symbol;
  instant at = 0;
  std::int64_t size = 0;
};
tick decode(eventhubs::record const& r) {
  tick t;
  std::istringstream fields{std::string(r.payload())};
  fields >> t.symbol >> t.at >> t.size;
  return t;
}

task<> totals(stream<eventhubs::record> in, stream_context& context) {
  auto const rows = context.sink<std::string>("rows");
  auto ticks = std::move(in) | map(decode) | event_time(&tick::at, bounded_disorder(3s)) | key_by(&tick::symbol);
  auto windows = std::move(ticks) | tumbling_window(10s, late::drop()) | aggregate(sum(&tick::size));
  while (auto* x = co_await windows.next()) {
    std::string row = x->key + "@" + std::to_string(x->window.start / second);
    row += " = " + std::to_string(x->value);
    co_await rows.write(row);
  }
}

// Ticks up to two seconds out of order.
class market {
public:
  market(shared_hub& w, test::dice& d) : world_(w), dice_(d) {}

  void put(int count) {
    for (; count != 0; --count) {
      auto const which = static_cast<std::size_t>(dice_.upto(8));
      std::string const symbol = "S" + std::to_string(which);
      instant const at = world_.now() - dice_.upto(2) * second;
      std::int64_t const size = std::int64_t{1} << dice_.upto(20);
      totals_[symbol + "@" + std::to_string(at / (10 * second) * 10)] += size;
      world_.hub.add(which % partitions, symbol + " " + std::to_string(at) + " " + std::to_string(size));
      ++events[which % partitions];
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
  std::map<std::size_t, std::int64_t> events;

private:
  shared_hub& world_;
  test::dice& dice_;
  std::map<std::string, std::int64_t> totals_;
};

std::vector<std::string> sorted(std::vector<std::string> rows) {
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

TEST_CASE("windows over a shared hub close once, with everything in them, whoever of the workers that come, die and stall has it",
          "[eventhubs][sharing][property]") {
  std::size_t started = 0, stolen = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    shared_hub w(partitions, seed);
    w.handler = totals;
    w.change = [seed](eventhubs::options& o) {
      o.sharing->how.strategy = seed % 2 == 0 ? eventhubs::balancing::balanced : eventhubs::balancing::greedy;
      o.sharing->how.expiry = 25s;
    };
    test::dice dice(seed);
    market m(w, dice);
    w.play([&](async_scope& scope) -> task<> {
      w.start(scope);
      for (int i = 0; i != 40; ++i) {
        co_await sleep_for(std::chrono::milliseconds(500 + dice.upto(6000)));
        m.put(dice.upto(8));
        auto& some = *w.workers[static_cast<std::size_t>(dice.upto(static_cast<int>(w.workers.size()) - 1))];
        auto const alive = std::ranges::count_if(w.workers, [](auto const& one) { return !one->over; });
        auto const id = static_cast<std::size_t>(dice.upto(static_cast<int>(partitions) - 1));
        switch (dice.upto(10)) {
          case 0: shared_hub::kill(some); break;
          case 1: shared_hub::end(some); break;
          case 2:
          case 3:
            if (alive < 4) w.start(scope).way->trouble = dice.upto(15);
            break;
          case 4: some.store->longest = std::chrono::seconds(dice.upto(25)); break;
          case 5: some.store->longest = 0s; break;
          case 6: some.way->cut = !some.way->cut; break;
          case 7: w.hub.steal(id); break;
          case 8: w.blobs->owners.put(std::to_string(id), "js", w.now()); break;  // and dies
          case 9: w.hub.drop_connections(); break;
          default: break;
        }
      }
      for (auto const& one : w.workers) {
        if (!one->over) shared_hub::kill(*one);
      }
      w.start(scope, "last");
      task<> closing = m.wait_until_all_closed(10min);
      co_await std::move(closing);
    });
    CHECK(sorted(w.rows.rows()) == m.expected());
    CHECK(w.store->zombies == 0);
    std::string halted;
    for (std::string const& one : w.log.all)
      if (one.find("halted") != one.npos && one.find("cancelled:") == one.npos) halted += one + '\n';  // others were killed
    CHECK(halted == "");
    started += w.workers.size();
    stolen += w.log.count("another receiver has the partition");
  }
  CHECK(started > 40);
  CHECK(stolen > 10);
}

TEST_CASE("where another client has read between, what a pipeline has state of is handled again, and that is said",
          "[eventhubs][sharing]") {
  shared_hub w(partitions);
  w.handler = totals;
  test::dice dice(1);
  market m(w, dice);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    m.put(30);
    co_await sleep_for(12s);
    shared_hub::end(first);
    co_await sleep_for(3s);
    REQUIRE(first.over);
    m.put(30);
    for (auto const& [partition, count] : m.events)
      w.blobs->checkpoints.put(std::to_string(partition), "at " + std::to_string(count - 1), count - 1);
    w.start(scope);
    task<> closing = m.wait_until_all_closed(10min);
    co_await std::move(closing);
  });
  CHECK(sorted(w.rows.rows()) == m.expected());
  CHECK(w.log.count("warning: event hubs: events are handled again") == partitions);
}
