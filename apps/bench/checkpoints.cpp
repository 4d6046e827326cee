// What exactly-once checkpoints cost a pipeline as it runs: counts of a thousand keys, kept every 100 ms in SQLite, beside the same counts
// that nobody keeps, and how long its commits take; and how long it takes to begin again with a million keys. Time on the wall and the
// real clock, since a commit waits for the disk.
#include "event_load.hpp"
#include "reference.hpp"
#include "scratch_folder.hpp"

#include <weir/log.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace weir;
using namespace std::chrono_literals;
using bench::event;

constexpr std::uint64_t count_of_events = 200'000'000, count_of_keys = 1'000'000;

// Of a thousand keys, all of which come again between two checkpoints.
event event_at(std::uint64_t i) noexcept {
  return {((i * 0x9e3779b97f4a7c15) >> 20) % 1'000, bench::load_start + static_cast<std::int64_t>(i / 1'000)};
}
// Each key once.
event key_at(std::uint64_t i) noexcept { return {i, bench::load_start}; }

template <event (*At)(std::uint64_t) noexcept> class made final : public source<event> {
public:
  explicit made(std::uint64_t n) : n_(n) {}
  std::string_view name() const noexcept override { return "events"; }
  std::vector<std::string> partitions() const override { return {"0"}; }
  stream<event> open(std::string, std::optional<position> after) override { return read(n_, after ? after->offset() : 0); }

private:
  static stream<event> read(std::uint64_t n, std::uint64_t from) {
    std::vector<event> some;
    for (std::uint64_t i = from; i < n; i += some.size()) {
      some.resize(std::min<std::uint64_t>(256, n - i));
      for (std::size_t k = 0; k != some.size(); ++k) some[k] = At(i + k);
      co_yield std::span<event>(some);
    }
  }
  std::uint64_t n_;
};

// A store that is asked how long its commits took.
class timed_store final : public state_store {
public:
  explicit timed_store(std::shared_ptr<state_store> inside) noexcept : inside_(std::move(inside)) {}
  ~timed_store() override {
    if (took_.size() < 20) return;
    std::sort(took_.begin(), took_.end());
    std::fprintf(stderr, "%zu commits: median %.1f ms, 99 of 100 within %.1f ms\n", took_.size(), took_[took_.size() / 2],
                 took_[took_.size() * 99 / 100]);
  }
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override { return inside_->load(std::move(key)); }
  task<> commit(checkpoint_key key, checkpoint_update update) override {
    auto const begin = std::chrono::steady_clock::now();
    task<> doing = inside_->commit(std::move(key), std::move(update));
    co_await std::move(doing);
    took_.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override { return inside_->list(std::move(pipeline)); }
  task<std::vector<checkpoint_key>> keys() override { return inside_->keys(); }
  task<> erase(checkpoint_key key) override { return inside_->erase(std::move(key)); }

private:
  std::shared_ptr<state_store> inside_;
  std::vector<double> took_;
};

// How many results came.
template <class Source> std::uint64_t count(std::shared_ptr<state_store> store, std::shared_ptr<Source> from) {
  std::uint64_t results = 0;
  application app({.name = "counts",
                   .checkpoints = std::move(store),
                   .commit = {.records = std::numeric_limits<std::uint64_t>::max(), .every = 100ms},
                   .log = logger(log_level::error, [](log_level, std::string_view said) {
                     std::fprintf(stderr, "%.*s\n", static_cast<int>(said.size()), said.data());
                   })});
  app.use_source(std::move(from), [&results](auto& pipeline) {
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-capturing-lambda-coroutines): the pipeline keeps its handler
    pipeline.use_stream([&results](stream<event> in, cancellation) -> task<> {
      auto counts = std::move(in) | event_time(bench::time_of_event, bounded_disorder(1s)) | key_by(&event::id) |
                    process<std::uint64_t, std::uint64_t>([](event const&, std::uint64_t& n, auto& c) { c.emit(++n); }, never_expires()) |
                    for_each([&results](std::uint64_t const&) { ++results; });
      co_await counts;
    });
  });
  return app.run() == 0 ? results : 0;
}

void not_kept(benchmark::State& state) {
  for (auto _ : state)
    if (count(nullptr, std::make_shared<made<event_at>>(count_of_events)) != count_of_events) state.SkipWithError("it failed");
  bench::per_element(state, count_of_events);
}
void kept(benchmark::State& state) {
  for (auto _ : state) {
    bench::scratch_folder const folder;
    auto store = std::make_shared<timed_store>(std::make_shared<sqlite::state_store>(folder.path() / "state.sqlite"));
    if (count(std::move(store), std::make_shared<made<event_at>>(count_of_events)) != count_of_events) state.SkipWithError("it failed");
  }
  bench::per_element(state, count_of_events);
}
void restored(benchmark::State& state) {
  bench::scratch_folder const folder;
  auto const file = folder.path() / "state.sqlite";
  auto const all = std::make_shared<made<key_at>>(count_of_keys);
  if (count(std::make_shared<sqlite::state_store>(file), all) != count_of_keys) state.SkipWithError("it failed");
  auto const one_more = std::make_shared<made<key_at>>(count_of_keys + 1);
  for (auto _ : state) {
    state.PauseTiming();
    std::filesystem::copy_file(file, folder.path() / "again.sqlite", std::filesystem::copy_options::overwrite_existing);
    state.ResumeTiming();
    if (count(std::make_shared<sqlite::state_store>(folder.path() / "again.sqlite"), one_more) != 1) state.SkipWithError("it failed");
  }
  bench::per_element(state, count_of_keys);
}

BENCHMARK(not_kept)->Name("counts of a thousand keys, kept nowhere (wall)")->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(kept)->Name("the same, every 100 ms in SQLite (wall)")->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(restored)->Name("a million keys restored from SQLite (wall)")->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
