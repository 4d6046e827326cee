// Each id once, of more ids than are to be in memory: a million stay there, the others are in RocksDB. Beside a loop that asks RocksDB for
// each of the first million and puts it. Both sync every 10,000 ids. Time on the wall, as RocksDB works in threads of its own too. Nothing
// of the load is in memory, so that what a process with one of these alone takes at most is what it needs.
#include "event_load.hpp"
#include "reference.hpp"
#include "scratch_folder.hpp"

#include <weir/rocksdb/state_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace weir;
using namespace std::chrono_literals;
using bench::event;

constexpr std::uint64_t count_of_ids = 10'000'000, per_commit = 10'000, in_memory = 1'000'000;
constexpr std::uint64_t count_by_hand = 1'000'000;  // it takes longer with each: ten million would be minutes

// Any 64 bits, none twice. Source: SplitMix64; Steele, Lea, Flood, OOPSLA 2014.
std::uint64_t scattered(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}
// Ten minutes of ids; one in 200 is one that came before, however long ago.
event id_at(std::uint64_t i) noexcept {
  std::uint64_t const of = i % 200 == 199 ? scattered(~i) % i / 200 * 200 : i;
  return {scattered(of), bench::load_start + static_cast<std::int64_t>(of * 600'000 / count_of_ids)};
}

struct uniques {
  std::uint64_t n = 0, ids = 0;
  void add(std::uint64_t id) noexcept {
    ++n;
    ids += id;
  }
  bool operator==(uniques const&) const = default;
};

void need(::rocksdb::Status const& s) {
  if (!s.ok()) throw std::runtime_error(s.ToString());
}
uniques once_by_hand(std::filesystem::path const& folder) {
  ::rocksdb::BlockBasedTableOptions tables;
  tables.filter_policy.reset(::rocksdb::NewBloomFilterPolicy(10));
  tables.block_cache = ::rocksdb::NewLRUCache(16 << 20);
  ::rocksdb::Options options;
  options.create_if_missing = true;
  options.table_factory.reset(::rocksdb::NewBlockBasedTableFactory(tables));
  ::rocksdb::DB* opened = nullptr;
  need(::rocksdb::DB::Open(options, folder.string(), &opened));
  std::unique_ptr<::rocksdb::DB> const db(opened);
  uniques sum;
  ::rocksdb::PinnableSlice found;
  for (std::uint64_t i = 0; i != count_by_hand; ++i) {
    std::uint64_t const id = id_at(i).id;
    ::rocksdb::Slice const key(reinterpret_cast<char const*>(&id), sizeof id);
    auto const status = db->Get(::rocksdb::ReadOptions(), db->DefaultColumnFamily(), key, &found);
    if (status.IsNotFound()) {
      need(db->Put(::rocksdb::WriteOptions(), key, ::rocksdb::Slice()));
      sum.add(id);
    } else {
      need(status);
    }
    found.Reset();
    if ((i + 1) % per_commit == 0) need(db->SyncWAL());
  }
  return sum;
}

class id_source final : public source<event> {
public:
  std::string_view name() const noexcept override { return "ids"; }
  std::vector<std::string> partitions() const override { return {"0"}; }
  stream<event> open(std::string, std::optional<position> after) override {
    std::vector<event> some(256);
    for (std::uint64_t i = after ? after->offset() : 0; i < count_of_ids; i += some.size()) {
      some.resize(std::min<std::uint64_t>(some.size(), count_of_ids - i));
      for (std::size_t k = 0; k != some.size(); ++k) some[k] = id_at(i + k);
      co_yield std::span<event>(some);
    }
  }
};

uniques once(std::shared_ptr<state_store> store) {
  uniques sum;
  application app({.name = "ids", .checkpoints = std::move(store), .commit = {.records = per_commit, .every = 1h}});
  app.use_source(std::make_shared<id_source>(), [&sum](auto& pipeline) {
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-capturing-lambda-coroutines): the pipeline keeps its handler
    pipeline.use_stream([&sum](stream<event> in, cancellation) -> task<> {
      auto unique = std::move(in) | event_time(bench::time_of_event, bounded_disorder(10min)) |
                    dedup(&event::id, 24h).working_set(in_memory) | for_each([&sum](event const& e) { sum.add(e.id); });
      co_await unique;
    });
  });
  testing::run(app.serve());
  return sum;
}

void by_hand(benchmark::State& state) {
  for (auto _ : state) {
    bench::scratch_folder const folder;
    benchmark::DoNotOptimize(once_by_hand(folder.path() / "ids"));
  }
  bench::per_element(state, count_by_hand);
}
void read_through(benchmark::State& state) {
  uniques expected;
  for (std::uint64_t i = 0; i != count_of_ids; ++i)
    if (i % 200 != 199) expected.add(id_at(i).id);
  for (auto _ : state) {
    bench::scratch_folder const folder;
    if (once(std::make_shared<weir::rocksdb::state_store>(folder.path() / "state")) != expected)
      state.SkipWithError("these are not the ids that came for the first time");
  }
  bench::per_element(state, count_of_ids);
}

BENCHMARK(by_hand)
    ->Name("the first million ids by hand, RocksDB get and put (wall)")
    ->Iterations(1)
    ->Repetitions(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(read_through)
    ->Name("dedup of 10 million ids, 1 million in memory (wall)")
    ->Iterations(1)
    ->Repetitions(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
