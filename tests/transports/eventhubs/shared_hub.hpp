#pragma once
#include "sharing_desk.hpp"
#include "support/event_hub.hpp"
#include "support/keeping_in.hpp"
#include "support/told.hpp"
#include "support/watched_store.hpp"

#include <weir/application.hpp>
#include <weir/async_scope.hpp>
#include <weir/context.hpp>
#include <weir/eventhubs/source.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/simulation.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// Workers that share an event hub "ticks" by blobs, in one simulation.
class shared_hub {
public:
  using rows_table = memory_table<std::string>;

  struct worker {
    std::string name;
    std::shared_ptr<sharing_way> way;
    std::shared_ptr<slow_store> store;
    std::unique_ptr<application> app;
    context* branch = nullptr;
    bool over = false;
    std::exception_ptr failure;
    std::map<std::string, int> handled;  ///< by partition
    std::function<task<>(eventhubs::record const&)> on_record;
  };

  explicit shared_hub(std::size_t partitions, std::uint64_t seed = 1)
      : hub(partitions),
        blobs(std::make_shared<group_fake>()),
        kept(std::make_shared<memory_state_store>()),
        store(std::make_shared<watched_store>(kept)),
        rows(kept),
        simulation(seed),
        put_in(partitions),
        seed_(seed) {}

  eventhubs::options options(worker const& w) {
    eventhubs::options o;
    o.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key";
    o.event_hub = "ticks";
    o.client.open = hub.opener();
    o.client.seed = static_cast<std::uint32_t>(seed_ * 100 + workers.size() + 1);
    o.sharing.emplace();
    o.sharing->consumer = w.name;
    o.sharing->ownership = std::make_shared<owner_desk>(w.way);
    o.sharing->checkpoints = std::make_shared<checkpoint_desk>(w.way);
    if (change) change(o);
    return o;
  }
  /// Starts one. It reads as long as it is not told otherwise, and writes "partition body" of each event.
  worker& start(async_scope& scope, std::string name = {}) {
    if (name.empty()) name = "w" + std::to_string(workers.size());
    workers.push_back(std::make_unique<worker>());
    worker& w = *workers.back();
    w.name = std::move(name);
    w.way = std::make_shared<sharing_way>(blobs, seed_ * 1000 + workers.size());
    w.store = std::make_shared<slow_store>(store, simulation);
    settings s = keeping_in(w.store, 7);
    s.log = log.log();
    w.app = std::make_unique<application>(std::move(s));
    w.app->use_source(std::make_shared<eventhubs::source>(options(w)), [&](auto& pipeline) {
      pipeline.use_sink("rows", rows);
      pipeline.use_stream([&w, this](weir::stream<eventhubs::record> in, stream_context& c) {
        return handler ? handler(std::move(in), c) : keep(w, std::move(in), c);
      });
    });
    scope.spawn(live(w));
    return w;
  }
  /// It ends in peace, and gives back what it has.
  static void end(worker& w) { w.app->stop(); }
  /// It dies where it stands, and gives nothing back.
  static void kill(worker& w) {
    w.way->cut = true;
    if (w.branch) w.branch->cancel();
  }

  /// Adds so many events "0", "1", ... to each partition.
  void put(int each) {
    for (std::size_t p = 0; p != put_in.size(); ++p) put(p, each);
  }
  void put(std::size_t partition, int count) {
    hub.add(partition, static_cast<std::size_t>(count));
    put_in[partition] += count;
    put_count += static_cast<std::size_t>(count);
  }
  /// From now on the hub has so many partitions.
  void grow(std::size_t partitions) {
    hub.grow(partitions);
    put_in.resize(partitions);
  }
  instant now() { return simulation.clock().now(); }
  bool all_there() const { return rows.rows().size() >= put_count; }
  /// Until all is there, or for so long.
  task<bool> wait_for_all(std::chrono::nanoseconds longest) {
    instant const until = now() + longest.count();
    while (!all_there() && now() < until) co_await sleep_for(std::chrono::milliseconds(100));
    co_return all_there();
  }
  /// Who owns how many, by the blobs.
  std::map<std::string, int> shares() const {
    std::map<std::string, int> out;
    for (eventhubs::ownership const& o : blobs->owners.all(0).all) ++out[o.owner];
    return out;
  }
  /// What is wrong with the rows: one is missing, is there twice, or not in the order of its partition. Empty: nothing.
  std::string wrong() const {
    std::map<std::string, int> seen;
    for (std::string const& row : rows.rows()) {
      std::string const partition = row.substr(0, row.find(' '));
      if (row != partition + ' ' + std::to_string(seen[partition]++)) return "\"" + row + "\" is not what follows";
    }
    for (std::size_t p = 0; p != put_in.size(); ++p)
      if (seen[std::to_string(p)] != put_in[p])
        return "there are " + std::to_string(seen[std::to_string(p)]) + " rows for " + std::to_string(put_in[p]) + " events of " +
               std::to_string(p);
    return {};
  }
  /// Plays `what(scope)`, then ends who is still there.
  template <class Script> void play(Script what) {
    auto body = [&](async_scope& scope) -> task<> {
      task<> script = what(scope);
      co_await std::move(script);
      for (auto const& w : workers)
        if (!w->over) end(*w);
    };
    simulation.run(with_scope(std::move(body)));
  }

  event_hub hub;
  std::shared_ptr<group_fake> blobs;
  std::shared_ptr<memory_state_store> kept;
  std::shared_ptr<watched_store> store;
  rows_table rows;  ///< in the transactions of the store
  testing::simulation simulation;
  std::vector<std::unique_ptr<worker>> workers;
  std::vector<int> put_in;
  std::size_t put_count = 0;
  told log;  ///< of all of them
  std::function<void(eventhubs::options&)> change;
  /// What workers do in place of that.
  std::function<task<>(weir::stream<eventhubs::record>, stream_context&)> handler;

private:
  static task<> live(worker& w) {
    context& own = co_await current_context();
    context branch(own);
    w.branch = &branch;
    try {
      task<> serving = w.app->serve();
      co_await std::move(serving).under(branch);
    } catch (...) {
      w.failure = std::current_exception();
    }
    w.branch = nullptr;
    w.over = true;
  }
  task<> keep(worker& w, weir::stream<eventhubs::record> in, stream_context& context) {
    auto const out = context.sink<std::string>("rows");
    while (eventhubs::record* r = co_await in.next()) {
      std::string const partition(context.partition());
      ++w.handled[partition];
      if (w.on_record) {
        task<> more = w.on_record(*r);
        co_await std::move(more);
      }
      std::string row(partition);
      row.append(" ").append(r->payload());
      co_await out.write(row);
    }
  }

  std::uint64_t const seed_;
};

}  // namespace weir::test
