// Records of keys that move between shards, read through faults and crashes, each once and in order.
#include <weir/kinesis/source.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/testing/simulation.hpp>

#include "properties/dice.hpp"
#include "source_support.hpp"
#include "support/catch.hpp"
#include "support/keeping_in.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::kinesis_fault;

namespace {

std::array<kinesis_fault, 11> const troubles{
    kinesis_fault::throttle(),
    kinesis_fault::empty(500),
    kinesis_fault::empty(503),
    kinesis_fault::close(),
    kinesis_fault::lose_reply(),
    kinesis_fault::cut_reply(),
    kinesis_fault::refuse("InternalFailure", "", 500),
    kinesis_fault::refuse("KMSThrottlingException"),
    kinesis_fault::refuse("LimitExceededException"),
    kinesis_fault::refuse("ServiceUnavailable", "", 503),
    kinesis_fault::refuse("ExpiredIteratorException", "old"),
};

// What happens to a stream while it is read: records come, shards are split and merged, calls fail.
class life {
public:
  life(test::simulated_stream& s, std::uint64_t seed, int records) : stream_(s), dice_(seed), left_(records) {}

  void go_on(test::simulated_kinesis::call const& call) {
    if (dice_.upto(9) == 0) fail_one();
    for (int n = dice_.upto(5); n > 0 && left_ > 0; --n, --left_) put(call.at);
    if (left_ > 0 && dice_.upto(12) == 0) reshard(call.at);
    if (dice_.upto(200) == 0) stream_.service->state.expire_all();
  }
  bool over() const { return left_ == 0; }
  std::size_t reshardings() const { return reshardings_; }
  std::map<std::string, int> const& put_by_key() const { return next_; }

private:
  void fail_one() {
    static constexpr std::array<char const*, 5> operations{"GetRecords", "GetRecords", "GetRecords", "GetShardIterator", "ListShards"};
    auto const operation = static_cast<std::size_t>(dice_.upto(4));
    // Iterators expire when they are used only.
    auto const fault = static_cast<std::size_t>(dice_.upto(static_cast<int>(troubles.size()) - (operation < 3 ? 1 : 2)));
    stream_.service->fail(operations[operation], troubles[fault], static_cast<std::size_t>(1 + dice_.upto(2)));
  }
  void put(instant now) {
    std::string const key = "k" + std::to_string(dice_.upto(9));
    test::kinesis_stream& s = stream_.stream();
    s.put(s.owner_of(kinesis::hash_key::of(key)), key, std::to_string(next_[key]++), now);
  }
  void reshard(instant now) {
    auto const open = stream_.stream().open();
    std::size_t const at = static_cast<std::size_t>(dice_.upto(static_cast<int>(open.size()) - 1));
    ++reshardings_;
    if (open.size() > 1 && (open.size() > 5 || dice_.upto(1) == 0)) {
      std::size_t const one = std::min(at, open.size() - 2);
      stream_.merge(open[one], open[one + 1], now);
    } else {
      stream_.split(open[at], now);
    }
  }

  test::simulated_stream& stream_;
  test::dice dice_;
  int left_;
  std::size_t reshardings_ = 0;
  std::map<std::string, int> next_;
};

using rows = memory_table<std::string>;

task<> keep(stream<kinesis::record> in, stream_context& context) {
  auto const out = context.sink<std::string>("rows");
  while (kinesis::record* r = co_await in.next()) {
    std::string row(r->partition_key());
    row.append(" ").append(r->data());
    co_await out.write(row);
  }
}

}  // namespace

TEST_CASE("every record lands once and in the order of its key, through reshardings, faults and crashes", "[kinesis][delivery]") {
  std::size_t reshardings = 0;
  int all_starts = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    test::simulated_stream s(2);
    life alive(s, seed, 500);
    test::dice crashes(seed + 1000);
    auto const store = std::make_shared<memory_state_store>();
    rows const table(store);
    testing::simulation world(seed);
    int starts = 0;
    for (bool done = false; !done; ++starts) {
      application app(test::keeping_in(store, 7));
      kinesis::options o = s.options();
      o.limit = 20;
      o.seed = static_cast<std::uint32_t>(seed);
      app.use_source(std::make_shared<kinesis::source>(o), [&](auto& pipeline) { pipeline.use_sink("rows", table).use_stream(keep); });
      s.service->before = [&](auto const& call) {
        alive.go_on(call);
        if (alive.over() && table.rows().size() >= 500) app.stop();
      };
      if (crashes.upto(9) != 0) world.crash_after(static_cast<std::uint64_t>(crashes.upto(300)));
      try {
        world.run(app.serve());
        done = table.rows().size() >= 500;
      } catch (testing::crashed const&) {
      } catch (error const& e) {  // it could not list the shards when it started
        REQUIRE(e.code() == condition::retryable);
      }
    }
    std::map<std::string, int> next;
    for (std::string const& row : table.rows()) {
      std::string const key = row.substr(0, row.find(' '));
      REQUIRE(row == key + ' ' + std::to_string(next[key]++));
    }
    CHECK(next == alive.put_by_key());
    reshardings += alive.reshardings();
    all_starts += starts;
  }
  CHECK(reshardings > 60);
  CHECK(all_starts > 60);
}
