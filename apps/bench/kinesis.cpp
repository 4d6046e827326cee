// Reading a reply of Kinesis: 10,000 records of 100 bytes, some 290 bytes of JSON each, beside simdjson alone over the same bytes.
#include "reference.hpp"

#include <weir/kinesis/record_decoder.hpp>
#include <weir/net/base64.hpp>

#include <simdjson.h>

#include <string>

namespace {

using namespace weir;
constexpr std::int64_t records = 10'000;

std::string const& reply() {
  static std::string const text = [] {
    std::string out = R"({"MillisBehindLatest":0,"NextShardIterator":"AAAAAAAAAAGDjf3yzuIElPxP","Records":[)";
    for (std::int64_t i = 0; i != records; ++i) {
      std::string data(100, 'x');
      for (std::size_t k = 0; k != data.size(); ++k) data[k] = static_cast<char>(i * 31 + static_cast<std::int64_t>(k) * 7);
      out += i == 0 ? "{" : ",{";
      out += R"("SequenceNumber":"4968067767778761212942791897398459407353218468)" + std::to_string(1'000'000'000 + i);
      out += R"(","ApproximateArrivalTimestamp":1795961202.)" + std::to_string(100 + i % 900) + R"(,"Data":")" + net::to_base64(data);
      out += R"(","PartitionKey":"pk-)" + std::to_string(i % 1'000) + R"(","EncryptionType":"NONE"})";
    }
    return out + "]}";
  }();
  return text;
}

void decode(benchmark::State& state) {
  kinesis::record_decoder decoder;
  for (auto _ : state) {
    kinesis::record_batch const batch = decoder.decode(reply());
    benchmark::DoNotOptimize(batch.records.data());
  }
  bench::per_element(state, records);
}

void simdjson_by_hand(benchmark::State& state) {
  simdjson::dom::parser parser;
  for (auto _ : state) {
    simdjson::padded_string const body(reply());  // the decoder gets one of its own, too
    std::size_t bytes = 0;
    for (simdjson::dom::element const r : parser.parse(body)["Records"].get_array()) {
      bytes += r["Data"].get_string().value().size() + r["PartitionKey"].get_string().value().size();
      bytes += r["SequenceNumber"].get_string().value().size();
    }
    benchmark::DoNotOptimize(bytes);
  }
  bench::per_element(state, records);
}

BENCHMARK(simdjson_by_hand)->Name("GetRecords reply, simdjson by hand, base64 left");
BENCHMARK(decode)->Name("GetRecords reply, weir::kinesis");

}  // namespace
