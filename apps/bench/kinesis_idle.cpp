// A thousand shards with nothing in them, read by one process: the CPU time each of them takes per second.
#include "reference.hpp"
#include "static_kinesis.hpp"
#include "thread_seconds.hpp"

#include <weir/application.hpp>
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/spawn.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace {

using namespace weir;
constexpr std::int64_t shards = 1'000;
constexpr std::chrono::seconds until_quiet(8), measured(10);

std::string shard_list() {
  std::string out = R"({"Shards":[)";
  for (std::int64_t i = 0; i != shards; ++i) {
    std::string const number = std::to_string(i);
    std::string const last = i + 1 == shards ? "340282366920938463463374607431768211455" : number;
    out.append(i == 0 ? "" : ",").append(R"({"ShardId":"shardId-)").append(12 - number.size(), '0').append(number);
    out.append(R"(","HashKeyRange":{"StartingHashKey":")").append(number).append(R"(","EndingHashKey":")").append(last);
    out += R"("},"SequenceNumberRange":{"StartingSequenceNumber":"1"}})";
  }
  return out + "]}";
}

std::string answer(std::string_view request) {
  if (request.find("kinesis_20131202.listshards") != std::string_view::npos) return shard_list();
  if (request.find("kinesis_20131202.getsharditerator") != std::string_view::npos) return R"({"ShardIterator":"AAAA"})";
  return R"({"MillisBehindLatest":0,"NextShardIterator":"AAAA","Records":[]})";
}

void idle_shards(benchmark::State& state) {
  bench::static_kinesis const server(answer);
  for (auto _ : state) {
    application app;
    app.use_kinesis_stream(kinesis::options{.stream = "idle", .client = server.client()}, [](auto& pipeline) {
      pipeline.use_stream([](stream<kinesis::record> records, cancellation) -> task<> {
        while (co_await records.next()) {}
      });
    });
    boost::asio::io_context loop(1);
    std::exception_ptr failure;
    spawn(loop, app.serve(), [&](std::exception_ptr const& failed) { failure = failed; });
    boost::asio::steady_timer quiet(loop, until_quiet), end(loop, until_quiet + measured);
    double cpu = 0;
    std::int64_t asked = 0;
    quiet.async_wait([&](auto) {
      cpu = -bench::thread_seconds();
      asked = -server.requests();
    });
    end.async_wait([&](auto) {
      cpu += bench::thread_seconds();
      asked += server.requests();
      app.stop();
    });
    loop.run();
    if (failure) state.SkipWithError("the stream could not be read");
    // Each is asked every two seconds, a little earlier now and then, and may be five times a second.
    else if (asked < shards * measured.count() / 3 || asked > 5 * shards * measured.count())
      state.SkipWithError("it was not read as it should");
    state.SetIterationTime(cpu / static_cast<double>(measured.count()));
    state.counters["requests_a_second"] = static_cast<double>(asked) / static_cast<double>(measured.count());
  }
  bench::per_element(state, shards);
}

BENCHMARK(idle_shards)->Name("a second of an idle shard, of 1,000 in one process")->UseManualTime()->Iterations(1)->Repetitions(3);

}  // namespace
