// Records put into a stream, 500 in a request, 200 bytes each: the CPU time of the client, who signs, encodes and reads what became of
// each.
#include "reference.hpp"
#include "static_kinesis.hpp"
#include "thread_seconds.hpp"

#include <weir/kinesis/producer.hpp>
#include <weir/spawn.hpp>

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace weir;
constexpr std::size_t in_a_request = 500, records_put = 100'000, record_bytes = 200;

std::string answer(std::string_view) {
  static std::string const all_taken = [] {
    std::string out = R"({"EncryptionType":"NONE","FailedRecordCount":0,"Records":[)";
    for (std::size_t i = 0; i != in_a_request; ++i)
      out.append(i == 0 ? "" : ",")
          .append(R"({"SequenceNumber":"49590338271490256608559692538361571095921575989136588898","ShardId":"shardId-000000000000"})");
    return out + "]}";
  }();
  return all_taken;
}

void put(benchmark::State& state) {
  bench::static_kinesis const server(answer);
  kinesis::producer const into(kinesis::producer_options{.stream = "bars", .client = server.client()});
  std::vector<kinesis::outgoing_record> records;
  for (std::size_t i = 0; i != records_put; ++i) records.emplace_back("key-" + std::to_string(i % 1000), std::string(record_bytes, 'x'));
  boost::asio::io_context loop(1);
  auto const put_all = [&](std::vector<kinesis::outgoing_record> all) {
    std::exception_ptr failure;
    loop.restart();
    spawn(loop, into.put(std::move(all)), [&](std::exception_ptr const& failed) { failure = failed; });
    loop.run();
    return failure == nullptr;
  };
  if (!put_all({records.begin(), records.begin() + in_a_request})) return state.SkipWithError("nothing can be put");
  for (auto _ : state) {
    std::vector<kinesis::outgoing_record> all = records;
    double const begin = bench::thread_seconds();
    if (!put_all(std::move(all))) state.SkipWithError("not all could be put");
    state.SetIterationTime(bench::thread_seconds() - begin);
  }
  if (server.requests() < static_cast<std::int64_t>(records_put / in_a_request)) state.SkipWithError("they were not put");
  bench::per_element(state, static_cast<std::int64_t>(records_put));
}

BENCHMARK(put)->Name("PutRecords, weir::kinesis")->UseManualTime();

}  // namespace
