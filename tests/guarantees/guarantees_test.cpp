// The README's table of guarantees: what it promises of each source and each sink is checked with that source and that sink, and it
// promises nothing of others. Nine elements, and per cell up to 60 mishaps that the seed draws (25 where the store is a server, all where
// the sink is in memory) and 15 pairs of them: some ten seconds of CPU together. Reads go wrong in memory only, commits everywhere.
#include <weir/eventhubs/source.hpp>
#include <weir/file/source.hpp>
#include <weir/kinesis/source.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/testing/delivery_check.hpp>

#include "guarantees/promises.hpp"
#include "guarantees/sink_world.hpp"
#include "support/catch.hpp"
#include "support/event_hub.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"
#include "transports/kinesis/simulated_kinesis.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using testing::delivery_check;
using testing::delivery_trial;
using lines = std::vector<std::string>;

namespace {

// Null, and the test is reported as skipped, where the README is not there.
std::optional<promises> promised() {
  char const* const path = std::getenv("WEIR_README");
  if (!path) {
    skip("WEIR_README names no file");
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  return promises_in(std::string(std::istreambuf_iterator<char>(in), {}));
}

constexpr int elements = 9;
lines numbers() {
  lines out;
  for (int i = 1; i <= elements; ++i) out.push_back(std::to_string(i));
  return out;
}

// Numbers whatever comes, so that lost state shows as well as lost elements.
template <class R> stream<std::string> numbered(stream<R> s) {
  auto const next = [](int& n, R const&) { ++n; };
  auto const text = [](int n) { return std::to_string(n); };
  return std::move(s) | scan(0, next) | map(text);
}
template <class R> task<> written(stream<R> s, stream_context& context) {
  auto all = numbered(std::move(s)) | write_to(context.sink<std::string>("out"));
  co_await all;
}
template <class R> task<> sent(stream<R> s, stream_context& context) {
  auto all = numbered(std::move(s));
  while (std::string* const x = co_await all.next()) co_await context.send("out", *x);
}
template <class R> void handle(pipeline_builder<R>& pipeline, delivery_trial& trial, sink_world& sink) {
  sink.use(pipeline, trial);
  if (sink.is_topic()) pipeline.use_stream(sent<R>);
  else pipeline.use_stream(written<R>);
}

using reading = std::function<void(application&, delivery_trial&, sink_world&)>;

reading from_memory() {
  testing::script<std::string> input("memory");
  for (int i = 0; i < elements; i += 3) input.element("a").elements({"b", "c"});
  return [input](application& app, delivery_trial& trial, sink_world& sink) {
    app.use_source(trial.source(input), [&](auto& pipeline) { handle(pipeline, trial, sink); });
  };
}
reading from_file() {
  auto const folder = std::make_shared<temporary_folder>();
  std::string text;
  for (int i = 0; i != elements; ++i) text += std::string(1'999, 'x') + '\n';
  file::options from;
  from.paths = {folder->write("input", text)};
  from.block_size = 4'096;  // two lines at once
  return [folder, from](application& app, delivery_trial& trial, sink_world& sink) {
    app.use_source(std::make_shared<file::source>(from), [&](auto& pipeline) { handle(pipeline, trial, sink); });
  };
}

// One shard, in time that the trial makes, of which nothing is expected behind its records.
class finite_stream final : public source<kinesis::record> {
public:
  explicit finite_stream(std::shared_ptr<simulated_kinesis> const& service) : all_(options_of(service)) {}
  std::string_view name() const noexcept override { return all_.name(); }
  std::vector<std::string> partitions() const override { return all_.partitions(); }
  stream<kinesis::record> open(std::string shard, std::optional<position> after) override {
    return until_last(all_.open(std::move(shard), after), after);
  }
  stream<assignment> assignments(assignment_view& pipeline) override { return first_of(all_.assignments(pipeline)); }
  void ended(std::string const& shard, partition_end how) noexcept override { all_.ended(shard, how); }

private:
  static kinesis::options options_of(std::shared_ptr<simulated_kinesis> const& service) {
    kinesis::options o;
    o.stream = "ticks";
    o.limit = 2;
    o.seed = 7;
    o.service = service;
    o.limits = std::make_shared<kinesis::read_limits>();
    return o;
  }
  static stream<assignment> first_of(stream<assignment> all) {
    assignment* const first = co_await all.next();
    if (first) co_yield *first;
  }
  // Who reads on behind the last one would wait.
  static stream<kinesis::record> until_last(stream<kinesis::record> all, std::optional<position> after) {
    bool over = after && last_ && *after == *last_;
    while (!over) {
      chunk<kinesis::record> c = co_await next_chunk(all);
      if (!c) co_return;
      over = !c.elements.empty() && c.elements.back().data() == "last";
      if (over) last_ = c.elements.back().position();
      co_yield c;
    }
  }
  static inline std::optional<position> last_;  // of the stream, which is the same in all trials

  kinesis::source all_;
};
reading from_kinesis() {
  auto const service = std::make_shared<simulated_kinesis>();
  constexpr instant begin = 1'704'067'200'000'000'000;  // of virtual time
  service->state.create("ticks", 1, begin);
  for (int i = 1; i <= elements; ++i) service->state.stream("ticks").put(0, "key", i == elements ? "last" : "x", begin);
  return [service](application& app, delivery_trial& trial, sink_world& sink) {
    app.use_source(std::make_shared<finite_stream>(service), [&](auto& pipeline) { handle(pipeline, trial, sink); });
  };
}
// One partition, of which nothing is expected behind its events.
class finite_hub final : public source<eventhubs::record> {
public:
  explicit finite_hub(std::shared_ptr<event_hub> const& hub) : all_(options_of(*hub)) {}
  std::string_view name() const noexcept override { return all_.name(); }
  std::vector<std::string> partitions() const override { return all_.partitions(); }
  stream<eventhubs::record> open(std::string partition, std::optional<position> after) override {
    return until_last(all_.open(std::move(partition), after), after && after->offset() == elements - 1);
  }
  stream<assignment> assignments(assignment_view& pipeline) override { return first_of(all_.assignments(pipeline)); }

private:
  static eventhubs::options options_of(event_hub& hub) {
    eventhubs::options o;
    o.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key;EntityPath=ticks";
    o.client.open = hub.opener();
    o.client.seed = 7;
    o.most_events = 2;
    return o;
  }
  static stream<assignment> first_of(stream<assignment> all) {
    assignment* const first = co_await all.next();
    if (first) co_yield *first;
  }
  // Who reads on behind the last one would wait. They are read before the first is given: as long as there is a connection, its timers
  // make virtual time, and steps of the trial, while a sink waits for a server that is real.
  static stream<eventhubs::record> until_last(stream<eventhubs::record> all, bool over) {
    std::vector<eventhubs::record> some;
    {
      stream<eventhubs::record> connected = std::move(all);
      while (!over) {
        chunk<eventhubs::record> c = co_await next_chunk(connected);
        if (!c) co_return;
        some.insert(some.end(), c.elements.begin(), c.elements.end());
        over = !some.empty() && some.back().payload() == "last";
      }
    }
    for (std::size_t i = 0; i < some.size(); i += 2) {
      std::span<eventhubs::record> const two = std::span(some).subspan(i, std::min<std::size_t>(2, some.size() - i));
      co_yield two;
    }
  }

  eventhubs::source all_;
};
reading from_event_hub() {
  auto const hub = std::make_shared<event_hub>(1);
  for (int i = 1; i <= elements; ++i) hub->add(0, i == elements ? std::string("last") : std::string("x"));
  return [hub](application& app, delivery_trial& trial, sink_world& sink) {
    app.use_source(std::make_shared<finite_hub>(hub), [&](auto& pipeline) { handle(pipeline, trial, sink); });
  };
}
// Empty: there is none of that name.
reading from(std::string const& source) {
  if (source == "memory") return from_memory();
  if (source == "file") return from_file();
  if (source == "kinesis") return from_kinesis();
  if (source == "eventhubs") return from_event_hub();
  return {};
}

void check_passes(testing::delivery_report const& report) {
  INFO(report.text());
  CHECK(report.passed());
  CHECK(report.trials > 20);
  CHECK(report.commits > 3);
}

void check_promise(std::string const& promise, reading const& read, std::shared_ptr<sink_world> const& sink) {
  auto const build = [&](application& app, delivery_trial& trial) { read(app, trial, *sink); };
  delivery_check check(build);
  check.expect_list(numbers()).singles(sink->trials()).pairs(15);
  if (sink->is_outside()) check.kept_in(sink);
  if (promise == "at least once") {
    CHECK(sink->declared() == guarantee::at_least_once);
    check_passes(check.run());
    auto const once = check.exactly_once().run();
    CHECK(once.lost.empty());
    CHECK_FALSE(once.doubled.empty());  // it could not promise more
    return;
  }
  check.exactly_once();
  if (promise == "exactly once") CHECK(sink->declared() == guarantee::transactional);
  else if (promise == "once in the end") CHECK(sink->declared() == guarantee::idempotent);
  else if (promise == "at least once, with identity") CHECK(sink->is_topic());
  else FAIL("nobody knows how to check the promise: " << promise);
  check_passes(check.run());
}

}  // namespace

TEST_CASE("each cell of the README's table of guarantees is true", "[guarantees]") {
  auto const all = promised();
  if (!all) return;
  for (auto const& [where, promise] : all->cells) {
    auto const& [source, sink] = where;
    DYNAMIC_SECTION(source << " -> " << sink) {
      reading const read = from(source);
      if (!read) FAIL("there is no test with such a source");
      bool skipped = false;
      std::shared_ptr<sink_world> const world = world_of(sink, skipped);
      if (skipped) return;
      if (!world) FAIL("there is no test with such a sink");
      check_promise(promise, read, world);
    }
  }
}

TEST_CASE("the README promises something of every source and sink that is tested", "[guarantees]") {
  auto const all = promised();
  if (!all) return;
  lines sinks = all->sinks;
  std::sort(sinks.begin(), sinks.end());
  CHECK(sinks == known_sinks());
  CHECK(all->sources == lines{"memory", "file", "kinesis", "eventhubs"});
}

TEST_CASE("the table of guarantees is read as it stands", "[guarantees]") {
  auto const found =
      promises_in("text\n\n| sink \\ source | `a` | b |\n|---|---|---|\n| `x::y` | once | twice |\n| z | p | q, r |\n\n| no |\n");
  CHECK(found.sources == lines{"a", "b"});
  CHECK(found.sinks == lines{"x::y", "z"});
  REQUIRE(found.cells.size() == 4);
  CHECK(found.cells.at({"b", "x::y"}) == "twice");
  CHECK(found.cells.at({"b", "z"}) == "q, r");
  CHECK_THROWS_WITH(promises_in("| sink |\n"), Catch::Contains("no table"));
  CHECK_THROWS_WITH(promises_in("| sink \\ source | a |\n|---|---|\n| x | 1 | 2 |\n"), Catch::Contains("other columns"));
}
