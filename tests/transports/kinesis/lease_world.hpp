#pragma once
#include "lease_fake.hpp"
#include "numbered_files.hpp"
#include "properties/dice.hpp"
#include "source_support.hpp"
#include "support/keeping_in.hpp"
#include "support/watched_store.hpp"

#include <weir/application.hpp>
#include <weir/async_scope.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/lease_service.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/simulation.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// The lease table as one worker gets at it: a request takes 10 ms, and what is to go wrong goes wrong.
class lease_desk final : public kinesis::lease_service {
public:
  explicit lease_desk(std::shared_ptr<lease_fake> t, std::uint64_t seed = 1) : table_(std::move(t)), dice_(seed) {}

  bool cut = false;  ///< nothing gets there any more
  int trouble = 0;   ///< of a hundred requests: lost, answered by nothing, or refused since there are too many
  std::size_t scans = 0;
  std::function<task<>(kinesis::lease_write const&)> before_write;

  task<> create_if_missing() override {
    bool const lost = co_await passes();
    if (lost) fail();
  }
  task<kinesis::lease_scan> scan() override {
    ++scans;
    bool const lost = co_await passes();
    if (lost) fail();
    kinesis::lease_scan out;
    out.leases = table_->all();
    co_return out;
  }
  task<kinesis::lease_write_result> write(kinesis::lease_write w) override {
    if (before_write) {
      task<> first = before_write(w);
      co_await std::move(first);
    }
    bool const lost = co_await passes();
    if (lost && dice_.upto(1) == 0) fail();
    kinesis::lease_write_result out;
    out.done = !cut && table_->write(w);
    if (!out.done) out.stored = table_->at(w.key());
    if (lost || cut) fail();
    co_return out;
  }

private:
  task<bool> passes() {
    co_await sleep_for(std::chrono::milliseconds(10));
    co_return cut || dice_.upto(99) < trouble;
  }
  [[noreturn]] static void fail() { throw error(weir::errc::unavailable, "dynamodb: the request failed", "the connection was closed"); }

  std::shared_ptr<lease_fake> table_;
  dice dice_;
};

/// Workers that share a stream "ticks" in one simulation.
class lease_world {
public:
  using rows_table = memory_table<std::string>;

  struct worker {
    std::string name;
    std::shared_ptr<lease_desk> desk;
    std::shared_ptr<slow_store> store;
    std::unique_ptr<application> app;
    context* branch = nullptr;
    bool over = false;
    std::exception_ptr failure;
    std::map<std::string, int> handled;  ///< by shard
    instant first_of_run = 0;
    std::function<task<>(kinesis::record const&)> on_record;
  };

  explicit lease_world(std::size_t shards, std::uint64_t seed = 1)
      : stream(shards),
        table(std::make_shared<lease_fake>()),
        kept(std::make_shared<memory_state_store>()),
        store(std::make_shared<watched_store>(kept)),
        rows(kept),
        simulation(seed),
        seed_(seed) {}

  kinesis::options options(worker const& w) const {
    kinesis::options o = stream.options();
    o.limit = 20;
    o.seed = static_cast<std::uint32_t>(seed_ * 100 + workers.size() + 1);
    o.leases.emplace();
    o.leases->table = "app";
    o.leases->worker = w.name;
    o.leases->service = w.desk;
    if (change) change(o);
    return o;
  }
  /// Starts one. It reads as long as it is not told otherwise, and writes "key data" of each record.
  worker& start(async_scope& scope, std::string name = {}) {
    if (name.empty()) name = "w" + std::to_string(workers.size());
    workers.push_back(std::make_unique<worker>());
    worker& w = *workers.back();
    w.name = std::move(name);
    w.desk = std::make_shared<lease_desk>(table, seed_ * 1000 + workers.size());
    w.store = std::make_shared<slow_store>(store, simulation);
    settings s = keeping_in(w.store, 7);
    s.log = log.log();
    w.app = std::make_unique<application>(std::move(s));
    w.app->use_source(std::make_shared<kinesis::source>(options(w)), [&](auto& pipeline) {
      pipeline.use_sink("rows", rows).use_sink("files", files);
      pipeline.use_stream([&w, this](weir::stream<kinesis::record> in, stream_context& c) {
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
    w.desk->cut = true;
    if (w.branch) w.branch->cancel();
  }

  /// Puts records "0", "1", ... of keys of its own into each open shard.
  void put(int each) {
    kinesis_stream& s = stream.stream();
    for (int i = 0; i != each; ++i) {
      for (int k = 0; k != 16; ++k) {
        std::string const key = "k" + std::to_string(k);
        s.put(s.owner_of(kinesis::hash_key::of(key)), key, std::to_string(next[key]++), now());
        ++put_count;
      }
    }
  }
  instant now() { return simulation.clock().now(); }
  bool all_there() const { return rows.rows().size() >= put_count; }
  /// Until all is there, or for so long.
  task<bool> wait_for_all(std::chrono::nanoseconds longest) {
    instant const until = now() + longest.count();
    while (!all_there() && now() < until) co_await sleep_for(std::chrono::milliseconds(100));
    co_return all_there();
  }
  /// Who holds how many leases that have not ended, by the table.
  std::map<std::string, int> shares() const {
    std::map<std::string, int> out;
    for (kinesis::lease const& l : table->all())
      if (!l.checkpoint.ended()) ++out[l.owner];
    return out;
  }
  /// What is wrong with the rows: one is missing, is there twice, or not in the order of its key; or with the files. Empty: nothing.
  std::string wrong() const {
    std::map<std::string, int> seen;
    for (std::string const& row : rows.rows()) {
      std::string const key = row.substr(0, row.find(' '));
      if (row != key + ' ' + std::to_string(seen[key]++)) return "\"" + row + "\" is not what follows";
    }
    if (seen != next) return "there are " + std::to_string(rows.rows().size()) + " rows for " + std::to_string(put_count) + " records";
    return wrong_files();
  }
  std::string wrong_files() const {
    std::vector<std::string> inside = rows.rows();
    std::ranges::sort(inside);
    std::vector<std::string> const outside = files.rows();
    if (outside == inside) return {};
    return "there are " + std::to_string(outside.size()) + " rows in files, and " + std::to_string(inside.size()) + " in the store";
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

  simulated_stream stream;
  std::shared_ptr<lease_fake> table;
  std::shared_ptr<memory_state_store> kept;
  std::shared_ptr<watched_store> store;
  rows_table rows;       ///< in the transactions of the store
  numbered_files files;  ///< the same, outside of it
  testing::simulation simulation;
  std::vector<std::unique_ptr<worker>> workers;
  std::map<std::string, int> next;
  std::size_t put_count = 0;
  told log;  ///< of all of them
  std::function<void(kinesis::options&)> change;
  /// What workers do in place of that.
  std::function<task<>(weir::stream<kinesis::record>, stream_context&)> handler;

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
  task<> keep(worker& w, weir::stream<kinesis::record> in, stream_context& context) {
    auto const out = context.sink<std::string>("rows"), outside = context.sink<std::string>("files");
    while (kinesis::record* r = co_await in.next()) {
      ++w.handled[std::string(r->shard_id())];
      w.first_of_run = w.first_of_run == 0 ? now() : w.first_of_run;
      if (w.on_record) {
        task<> more = w.on_record(*r);
        co_await std::move(more);
      }
      std::string row(r->partition_key());
      row.append(" ").append(r->data());
      co_await out.write(row);
      co_await outside.write(row);
    }
  }

  std::uint64_t const seed_;
};

}  // namespace weir::test
