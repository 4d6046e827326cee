#include <weir/kinesis/source.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/failure_policy.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/run.hpp>

#include "source_support.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::starting_position;
using test::fails_with;
using test::kinesis_fault;
using test::simulated_begin;
using test::simulated_stream;
using texts = std::vector<std::string>;

namespace {

constexpr instant second = 1'000'000'000;

// A program that reads the stream, and may be started again.
class program {
public:
  explicit program(simulated_stream const& s) : stream_(s), options(s.options()) {}

  // Until it has handled so many records in all, or a call is made at that time.
  void run(std::size_t records, std::chrono::nanoseconds at_most = 1h) {
    settings all = test::keeping_in(through ? through : store, 10);
    all.log = log.log();
    application app(std::move(all));
    app.use_source(std::make_shared<kinesis::source>(options), [&](auto& pipeline) {
      pipeline.on_failure(failures);
      pipeline.use_stream([&, records](stream<kinesis::record> in, stream_context&) -> task<> {
        while (kinesis::record* r = co_await in.next()) {
          if (poison && *poison == r->data()) throw std::runtime_error("poisoned");
          handled.emplace_back(std::string(r->shard_id().substr(r->shard_id().size() - 3)) + ' ' + std::string(r->data()));
          if (on_record) on_record(*r);
          if (handled.size() == records) app.stop();
        }
      });
    });
    testing::simulation world;
    if (records == handled.size()) app.stop();
    stream_.service->before = [&, start = world.clock().now()](auto const& call) {
      if (before) before(call);
      if (call.at - start > at_most.count()) app.stop();
    };
    world.run(app.serve());
  }
  texts handled_in(std::string_view shard) const {
    texts out;
    for (std::string const& one : handled)
      if (one.starts_with(shard)) out.push_back(one.substr(4));
    return out;
  }
  std::size_t first_of(std::string_view shard) const {
    return static_cast<std::size_t>(std::ranges::find_if(handled, [&](std::string const& one) { return one.starts_with(shard); }) -
                                    handled.begin());
  }
  std::optional<position> committed(std::size_t shard) const {
    auto load = [](state_store& from, std::string id) -> task<std::optional<position>> {
      auto const saved = co_await from.load(checkpoint_key("test/kinesis ticks", "kinesis ticks", std::move(id)));
      if (!saved) co_return std::nullopt;
      co_return saved->head.position;
    };
    return testing::run(load(*store, stream_.id(shard)));
  }
  std::size_t iterators_of(std::size_t shard) const {
    return static_cast<std::size_t>(std::ranges::count_if(stream_.service->seen, [&](auto const& call) {
      return call.operation == "GetShardIterator" && call.body.find(stream_.id(shard)) != std::string::npos;
    }));
  }

private:
  simulated_stream const& stream_;

public:
  kinesis::options options;
  std::shared_ptr<memory_state_store> store = std::make_shared<memory_state_store>();
  std::shared_ptr<state_store> through;  // to `store`, if not that
  failure_policy failures;
  texts handled;  // "000 17": of shard 0
  test::told log;
  std::function<void(kinesis::record const&)> on_record;
  std::function<void(test::simulated_kinesis::call const&)> before;
  std::optional<std::string> poison;
};

texts numbers(int first, int count) {
  texts out;
  for (int i = 0; i != count; ++i) out.push_back(std::to_string(first + i));
  return out;
}

// Cannot load the checkpoint of a partition, so often.
class failing_loads final : public state_store {
public:
  failing_loads(std::shared_ptr<state_store> kept, std::string partition, unsigned times)
      : kept_(std::move(kept)), partition_(std::move(partition)), left_(times) {}
  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override {
    if (key.partition == partition_ && left_ != 0) {
      --left_;
      throw error(weir::errc::unavailable, "store: load failed", "the connection was closed");
    }
    return kept_->load(std::move(key));
  }
  task<> commit(checkpoint_key key, checkpoint_update update) override { return kept_->commit(std::move(key), std::move(update)); }
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override { return kept_->list(std::move(pipeline)); }
  task<std::vector<checkpoint_key>> keys() override { return kept_->keys(); }
  task<> erase(checkpoint_key key) override { return kept_->erase(std::move(key)); }
  entry_reader* reader() noexcept override { return kept_->reader(); }

private:
  std::shared_ptr<state_store> kept_;
  std::string const partition_;
  unsigned left_;
};

// Lists no more shards than there were at first, for a while.
class late_lister final : public kinesis::shard_service {
public:
  late_lister(std::shared_ptr<test::simulated_kinesis> k, std::size_t known, std::size_t times)
      : kinesis_(std::move(k)), known_(known), times_(times) {}
  task<std::vector<kinesis::shard>> list_shards(std::string stream) override { return list(*this, std::move(stream)); }
  task<std::string> get_shard_iterator(std::string stream, std::string shard_id, starting_position from) override {
    return kinesis_->get_shard_iterator(std::move(stream), std::move(shard_id), std::move(from));
  }
  task<kinesis::record_batch> get_records(std::string iterator, std::size_t limit) override {
    return kinesis_->get_records(std::move(iterator), limit);
  }

private:
  static task<std::vector<kinesis::shard>> list(late_lister& me, std::string stream) {
    task<std::vector<kinesis::shard>> asking = me.kinesis_->list_shards(std::move(stream));
    std::vector<kinesis::shard> all = co_await std::move(asking);
    if (me.times_ != 0 && me.times_-- != 0) all.resize(std::min(all.size(), me.known_));
    co_return all;
  }
  std::shared_ptr<test::simulated_kinesis> kinesis_;
  std::size_t known_, times_;
};

}  // namespace

TEST_CASE("a stream is read shard by shard, parents before children, through splits and merges", "[kinesis][assign]") {
  simulated_stream s(2);
  s.put(0, 0, 30);
  s.put(1, 100, 30);
  s.merge(0, 1);
  s.put(2, 200, 30);
  s.split(2);
  s.put(3, 300, 30);
  s.put(4, 400, 30);
  program p(s);
  p.run(150);
  CHECK(p.handled_in("000") == numbers(0, 30));
  CHECK(p.handled_in("001") == numbers(100, 30));
  CHECK(p.handled_in("002") == numbers(200, 30));
  CHECK(p.handled_in("003") == numbers(300, 30));
  CHECK(p.handled_in("004") == numbers(400, 30));
  CHECK(p.first_of("002") == 60);
  CHECK(p.first_of("003") >= 90);
  CHECK(p.first_of("004") >= 90);
  for (std::size_t shard = 0; shard != 3; ++shard) CHECK(p.committed(shard) == kinesis::shard_end);
  CHECK(p.committed(3) < kinesis::shard_end);
  CHECK(p.log.count("error") == 0);
}

TEST_CASE("a child is not read before the end of its parent is committed", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 30);
  s.split(0);
  s.put(1, 100, 5);
  program p(s);
  p.on_record = [&](kinesis::record const& r) {
    if (r.data() == "100") CHECK(p.committed(0) == kinesis::shard_end);
  };
  p.run(35);
  CHECK(p.handled_in("001") == numbers(100, 5));
}

TEST_CASE("a restart goes on behind what was committed, and does not read again what has ended", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 30);
  s.split(0);
  s.put(1, 100, 30);
  program p(s);
  p.run(60);
  s.put(1, 130, 5, simulated_begin + 1);
  s.put(2, 200, 5, simulated_begin + 1);
  p.run(70);
  CHECK(p.handled_in("000") == numbers(0, 30));
  CHECK(p.handled_in("001") == numbers(100, 35));
  CHECK(p.handled_in("002") == numbers(200, 5));
  CHECK(p.iterators_of(0) == 1);
}

TEST_CASE("a restart in the middle of a closed shard reads its tail, and then what it became", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 30);
  program p(s);
  p.run(30);
  s.put(0, 30, 30);
  s.split(0);
  s.put(1, 100, 10);
  p.run(70);
  CHECK(p.handled_in("000") == numbers(0, 60));
  CHECK(p.handled_in("001") == numbers(100, 10));
}

TEST_CASE("a parent without a single record ends, which is committed, and its children are read", "[kinesis][assign]") {
  simulated_stream s(2);
  s.merge(0, 1);
  s.put(2, 200, 5);
  program p(s);
  p.run(5);
  CHECK(p.handled == texts{"002 200", "002 201", "002 202", "002 203", "002 204"});
  CHECK(p.committed(0) == kinesis::shard_end);
  CHECK(p.committed(1) == kinesis::shard_end);
  s.put(2, 205, 1, simulated_begin + 1);
  p.run(6);
  CHECK(p.iterators_of(0) == 1);
}

TEST_CASE("a shard whose parents are trimmed away is read", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 30);
  s.split(0);
  s.put(1, 100, 5, simulated_begin + second);
  s.stream().trim(simulated_begin + second);
  program p(s);
  p.run(5);
  CHECK(p.handled_in("001") == numbers(100, 5));
}

TEST_CASE("records of children that came while nobody read are not left out by a start at the tip", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 30);
  program p(s);
  p.options.start = starting_position::latest();
  p.before = [&](auto const& call) {
    if (p.handled.empty() && s.service->calls("GetRecords") == 2) s.put(0, 30, 5, call.at);
  };
  p.run(5);
  CHECK(p.handled_in("000") == numbers(30, 5));
  p.before = nullptr;
  s.put(0, 35, 5, simulated_begin + second);
  s.split(0, simulated_begin + second);
  s.put(1, 100, 5, simulated_begin + second);
  s.split(1, simulated_begin + second);
  s.put(3, 300, 5, simulated_begin + second);
  p.run(20);
  CHECK(p.handled_in("000") == numbers(30, 10));
  CHECK(p.handled_in("001") == numbers(100, 5));
  CHECK(p.handled_in("003") == numbers(300, 5));
}

TEST_CASE("a handler that fails at the first record of a start at the tip gets it again", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 30);
  program p(s);
  p.options.start = starting_position::latest();
  p.failures = failure_policy().retry(retry_policy().attempts(3).when([](std::exception const&) { return true; }));
  p.before = [&](auto const& call) {
    if (p.handled.empty() && s.service->calls("GetRecords") == 2) s.put(0, 30, 5, call.at);
  };
  p.on_record = [failed = false](kinesis::record const&) mutable {
    if (!std::exchange(failed, true)) throw std::runtime_error("once");
  };
  p.run(6);
  CHECK(p.handled_in("000") == texts{"30", "30", "31", "32", "33", "34"});
}

TEST_CASE("what a shard becomes is found at its end at once", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  program p(s);
  p.options.discover = 1h;
  std::optional<instant> split, found;
  p.before = [&](auto const& call) {
    if (!split && call.at > simulated_begin + 60 * second) {
      split = call.at;
      s.split(0, call.at);
      s.put(1, 100, 5, call.at);
    }
    if (split && !found && !p.handled_in("001").empty()) found = call.at;
  };
  p.run(10);
  CHECK(p.handled_in("001") == numbers(100, 5));
  REQUIRE(split);
  CHECK(p.committed(0) == kinesis::shard_end);
  CHECK(s.service->seen.back().at - *split < 5 * second);
}

TEST_CASE("children that are not listed yet are listed again soon, and every key is read", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  program p(s);
  p.options.discover = 1h;
  p.options.service = std::make_shared<late_lister>(s.service, 1, 4);
  s.split(0);
  s.put(1, 100, 5);
  s.put(2, 200, 5);
  p.run(15);
  CHECK(p.handled_in("001") == numbers(100, 5));
  CHECK(p.handled_in("002") == numbers(200, 5));
  CHECK(s.service->seen.back().at - simulated_begin < 20 * second);
  CHECK(p.log.count(
            "error: kinesis: keys are not read (stream ticks): no shard is read that has 0 to 340282366920938463463374607431768211455") ==
        1);
  CHECK(p.log.count("kinesis: all keys are read again") == 1);
}

TEST_CASE("a shard of which no end tells is found by listing now and then", "[kinesis][assign]") {
  simulated_stream s(2);
  program p(s);
  p.options.discover = 30s;
  p.options.service = std::make_shared<late_lister>(s.service, 1, 1);
  s.put(1, 100, 5);
  p.run(5);
  CHECK(p.handled_in("001") == numbers(100, 5));
  CHECK(s.service->seen.back().at - simulated_begin < 40 * second);
}

TEST_CASE("a stream that cannot be listed at the start is a failure, after five tries where it may pass", "[kinesis][assign]") {
  simulated_stream s(1);
  program p(s);
  s.service->fail("ListShards", kinesis_fault::refuse("AccessDeniedException", "no"));
  fails_with(weir::errc::access_denied, [&] { p.run(1); }, "kinesis: ListShards failed", "stream ticks", "allow it to this identity");
  CHECK(s.service->calls("ListShards") == 1);
  s.service->fail("ListShards", kinesis_fault::close(), 100);
  fails_with(weir::errc::unavailable, [&] { p.run(1); }, "stream ticks");
  CHECK(s.service->calls("ListShards") == 6);
  simulated_stream none(1);
  program lost(none);
  lost.options.stream = "other";
  fails_with(weir::errc::not_found, [&] { lost.run(1); }, "Stream other", "correct the name, the region or the endpoint");
}

TEST_CASE("a stream that cannot be listed for a while is read on, and its new shards are found later", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  s.split(0);
  s.put(1, 100, 5);
  s.service->fail("ListShards", kinesis_fault::throttle(), 20, 1);
  program p(s);
  p.options.service = std::make_shared<late_lister>(s.service, 1, 1);
  p.run(10);
  CHECK(p.handled_in("001") == numbers(100, 5));
  CHECK(p.log.count("warning: kinesis: listing shards is held up") == 2);  // 4 and 16 times in a row
}

TEST_CASE("a store that is away for a while when a shard is split costs nothing but time", "[kinesis][assign]") {
  simulated_stream s(1);
  s.put(0, 0, 5);
  program p(s);
  bool split = false;
  p.before = [&](auto const& call) {
    if (call.at < simulated_begin + 60 * second || std::exchange(split, true)) return;
    s.split(0, call.at);
    s.put(1, 100, 5, call.at);
  };
  p.through = std::make_shared<failing_loads>(p.store, "shardId-000000000001", 20);
  p.run(10);
  CHECK(p.handled_in("001") == numbers(100, 5));
  CHECK(p.log.count("warning: kinesis: loading the checkpoint of a shard is held up") == 2);  // 4 and 16 times in a row
}

TEST_CASE("a store that cannot be read at the start is a failure, after five tries", "[kinesis][assign]") {
  simulated_stream s(1);
  program p(s);
  p.through = std::make_shared<failing_loads>(p.store, s.id(0), 1'000);
  fails_with(weir::errc::unavailable, [&] { p.run(1); }, "store: load failed");
}

TEST_CASE("a handler that fails halts its shard and what comes of it, and the others go on", "[kinesis][assign]") {
  simulated_stream s(2);
  s.put(0, 0, 5);
  s.split(0);
  s.put(1, 100, 5);
  s.put(2, 200, 5);
  program p(s);
  p.options.discover = 10s;
  p.poison = "3";
  p.before = [&, put = false](auto const& call) mutable {
    if (call.at > simulated_begin + 60 * second && !std::exchange(put, true)) s.put(1, 105, 5, call.at);
  };
  CHECK_THROWS_WITH(p.run(13), Catch::Contains("poisoned"));
  CHECK(p.handled_in("000") == numbers(0, 3));
  CHECK(p.handled_in("001") == numbers(100, 10));
  CHECK(p.handled_in("002").empty());
  p.poison.reset();
  p.before = nullptr;
  p.run(20);
  CHECK(p.handled_in("000") == numbers(0, 5));
  CHECK(p.handled_in("002") == numbers(200, 5));
}

TEST_CASE("that Kinesis lets go of records which a halted shard has left is said, and what came of the shard is read",
          "[kinesis][assign]") {
  simulated_stream s(2);
  s.put(0, 0, 5);
  s.split(0);
  program p(s);
  p.options.discover = 10s;
  p.poison = "3";
  p.before = [&, trimmed = false](auto const& call) mutable {
    if (call.at < simulated_begin + 60 * second || std::exchange(trimmed, true)) return;
    s.put(2, 100, 5, call.at);
    s.stream().trim(call.at);
  };
  CHECK_THROWS_WITH(p.run(8), Catch::Contains("poisoned"));
  CHECK(p.handled_in("000") == numbers(0, 3));
  CHECK(p.handled_in("002") == numbers(100, 5));
  CHECK(p.log.count("error: kinesis: records are lost (stream ticks, partition " + s.id(0) + ")") == 1);
}

TEST_CASE("a drain lets go of all shards, and a restart goes on where each was", "[kinesis][assign]") {
  simulated_stream s(20);
  for (std::size_t i = 0; i != 20; ++i) s.put(i, static_cast<int>(100 * i), 50);
  program p(s);
  p.options.limit = 7;
  for (std::size_t n = 100; n <= 1'000; n += 100) p.run(n);
  CHECK(p.handled.size() == 1'000);
  std::ranges::sort(p.handled);
  CHECK(std::ranges::adjacent_find(p.handled) == p.handled.end());
}

TEST_CASE("a stream that is deleted while it is read ends the pipeline with a failure", "[kinesis][assign]") {
  simulated_stream s(2);
  program p(s);
  p.before = [&, gone = false](auto const& call) mutable {
    if (call.at > simulated_begin + 60 * second && !std::exchange(gone, true))
      s.service->state.call("DeleteStream", R"({"StreamName":"ticks"})", call.at);
  };
  fails_with(weir::errc::not_found, [&] { p.run(1); }, "ticks");
}

TEST_CASE("a thousand idle shards are read within the limits of each, and not in step", "[kinesis][assign][slow]") {
  simulated_stream s(1'000);
  program p(s);
  p.options.start = starting_position::latest();
  p.run(1, 20s);
  CHECK(s.service->refused == 0);
  CHECK(s.service->most_under_way <= 64);
  CHECK(s.service->calls("GetShardIterator") == 1'000);
  // At a steady pace each is read every 1.75 to 2 s, and some four times before.
  CHECK(s.service->calls("GetRecords") > 9'000);
  CHECK(s.service->calls("GetRecords") < 15'000);
  std::map<instant, std::size_t> by_tenth;
  for (auto const& call : s.service->seen)
    if (call.operation == "GetRecords" && call.at > simulated_begin + 10 * second) ++by_tenth[call.at / (second / 10)];
  std::size_t most = 0;
  for (auto const& [tenth, count] : by_tenth) most = std::max(most, count);
  CHECK(most < 150);  // 53 on average
}
