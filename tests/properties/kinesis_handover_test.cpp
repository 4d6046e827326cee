// Windows over keys that move between shards, through reshardings, faults and crashes.
#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/source.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/testing/simulation.hpp>

#include "properties/dice.hpp"
#include "support/catch.hpp"
#include "support/keeping_in.hpp"
#include "transports/kinesis/source_support.hpp"

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
using test::kinesis_fault;

namespace {

constexpr instant second = 1'000'000'000;
constexpr int record_count = 300;

struct tick {
  std::string symbol;
  instant at = 0;
  std::int64_t size = 0, id = 0;
};
tick decode(kinesis::record const& r) {
  tick t;
  t.symbol = std::string(r.partition_key());
  std::istringstream fields{std::string(r.data())};
  fields >> t.id >> t.at >> t.size;
  return t;
}

// A market: ticks up to two seconds out of order, shards that are split and merged, calls that fail.
class market {
public:
  market(test::simulated_stream& s, std::uint64_t seed) : stream_(s), dice_(seed) {}

  void go_on(test::simulated_kinesis::call const& call) {
    if (dice_.upto(14) == 0) fail_one();
    for (int n = dice_.upto(4); n > 0 && left_ > 0; --n, --left_) put(call.at);
    if (left_ > 0 && dice_.upto(12) == 0) reshard(call.at);
  }
  bool over() const { return left_ == 0; }
  // All windows should have closed.
  bool long_over(instant now) const { return over() && now > last_ + 600 * second; }
  std::size_t reshardings() const { return reshardings_; }
  // What windows of ten seconds over all of it have.
  std::vector<std::string> expected() const {
    std::vector<std::string> out;
    for (auto const& [window, total] : totals_) out.push_back(window + " = " + std::to_string(total));
    return out;
  }

private:
  void fail_one() {
    static std::vector<kinesis_fault> const troubles{kinesis_fault::throttle(), kinesis_fault::empty(500), kinesis_fault::close(),
                                                     kinesis_fault::lose_reply()};
    stream_.service->fail(dice_.upto(3) == 0 ? "ListShards" : "GetRecords", troubles[static_cast<std::size_t>(dice_.upto(3))], 1);
  }
  void put(instant now) {
    last_ = now;
    tick t;
    t.symbol = "S" + std::to_string(dice_.upto(9));
    t.at = now - dice_.upto(2) * second;
    t.size = std::int64_t{1} << dice_.upto(20);
    t.id = ++ids_;
    totals_[t.symbol + "@" + std::to_string(t.at / (10 * second) * 10)] += t.size;
    test::kinesis_stream& s = stream_.stream();
    std::string const data = std::to_string(t.id) + " " + std::to_string(t.at) + " " + std::to_string(t.size);
    s.put(s.owner_of(kinesis::hash_key::of(t.symbol)), t.symbol, data, now);
  }
  void reshard(instant now) {
    auto const open = stream_.stream().open();
    std::size_t const at = static_cast<std::size_t>(dice_.upto(static_cast<int>(open.size()) - 1));
    ++reshardings_;
    if (open.size() > 1 && (open.size() > 4 || dice_.upto(1) == 0)) {
      std::size_t const one = std::min(at, open.size() - 2);
      stream_.merge(open[one], open[one + 1], now);
    } else {
      stream_.split(open[at], now);
    }
  }

  test::simulated_stream& stream_;
  test::dice dice_;
  int left_ = record_count;
  std::int64_t ids_ = 0;
  instant last_ = 0;
  std::size_t reshardings_ = 0;
  std::map<std::string, std::int64_t> totals_;
};

task<> totals(stream<kinesis::record> in, stream_context& context) {
  auto const out = context.sink<std::string>("rows");
  auto ticks = std::move(in) | map(decode) | event_time(&tick::at, bounded_disorder(3s)) | dedup(&tick::id, 1min);
  auto windows = std::move(ticks) | key_by(&tick::symbol) | tumbling_window(10s, late::drop()) | aggregate(sum(&tick::size));
  while (auto* x = co_await windows.next()) {
    std::string row = x->key + "@" + std::to_string(x->window.start / second);
    row += " = " + std::to_string(x->value);
    co_await out.write(row);
  }
}

}  // namespace

TEST_CASE("windows close once, with everything in them, through splits, merges, faults and crashes", "[kinesis][delivery]") {
  std::size_t reshardings = 0;
  int all_starts = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    test::simulated_stream s(2);
    market alive(s, seed);
    test::dice crashes(seed + 1000);
    auto const store = std::make_shared<memory_state_store>();
    memory_table<std::string> const table(store);
    testing::simulation world(seed);
    int starts = 0;
    instant now = 0;
    auto const all_there = [&] { return alive.over() && table.rows().size() >= alive.expected().size(); };
    for (bool done = false; !done; ++starts) {
      application app(test::keeping_in(store, 7));
      kinesis::options o = s.options();
      o.limit = 20;
      o.seed = static_cast<std::uint32_t>(seed);
      app.use_source(std::make_shared<kinesis::source>(o), [&](auto& pipeline) { pipeline.use_sink("rows", table).use_stream(totals); });
      s.service->before = [&](auto const& call) {
        now = call.at;
        alive.go_on(call);
        if (all_there() || alive.long_over(now)) app.stop();
      };
      if (crashes.upto(9) != 0) world.crash_after(static_cast<std::uint64_t>(crashes.upto(400)));
      try {
        world.run(app.serve());
        done = all_there() || alive.long_over(now);
      } catch (testing::crashed const&) {
      } catch (error const& e) {  // it could not list the shards when it started
        INFO(e.what());
        REQUIRE(e.code() == condition::retryable);
      }
    }
    std::vector<std::string> rows = table.rows();
    std::ranges::sort(rows);
    CHECK(rows == alive.expected());
    reshardings += alive.reshardings();
    all_starts += starts;
  }
  CHECK(reshardings > 60);
  CHECK(all_starts > 60);
}
