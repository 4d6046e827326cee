// Replaying a file: NDJSON ticks of some 150 bytes, five fields each, beside simdjson alone over the same bytes.
#include "reference.hpp"

#include <weir/file/source.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <simdjson.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace {

using namespace weir;
constexpr std::int64_t lines = 200'000;

// Written once, removed at the end.
class tick_file {
public:
  tick_file() : path_(std::filesystem::temp_directory_path() / ("weir-bench-" + std::to_string(::getpid()) + ".ndjson")) {
    std::ofstream out(path_);
    for (std::int64_t i = 0; i < lines; ++i)
      out << R"({"symbol":")" << (i % 3 == 0 ? "BTCUSDT" : "ETHUSDT") << R"(","trade_id":)" << 3735683259 + i << R"(,"price":"61)"
          << 100 + i % 900 << R"(.63000000","size":"0.0)" << 1000000 + i % 8999999 << R"(","time":)" << 1723161255342 + i
          << R"(,"buyer_maker":true,"received":)" << 1723161254087 + i << "}\n";
  }
  tick_file(tick_file const&) = delete;
  tick_file& operator=(tick_file const&) = delete;
  ~tick_file() { std::filesystem::remove(path_); }
  std::filesystem::path const& path() const { return path_; }

private:
  std::filesystem::path path_;
};
tick_file const& ticks() {
  static tick_file const file;
  return file;
}

task<std::size_t> replay(file::options options) {
  file::source source(options);
  std::size_t bytes = 0;
  auto records = source.open(options.paths.front(), std::nullopt);
  while (auto* r = co_await records.next()) bytes += r->field(0).size() + r->field(2).size();
  co_return bytes;
}
void replay_ndjson(benchmark::State& state) {
  file::options options;
  options.paths = {ticks().path().string()};
  options.format = file::format::ndjson;
  options.fields = {"symbol", "trade_id", "price", "size", "time"};
  for (auto _ : state) benchmark::DoNotOptimize(testing::run(replay(options)));
  bench::per_element(state, lines);
}
void simdjson_by_hand(benchmark::State& state) {
  for (auto _ : state) {
    auto const text = simdjson::padded_string::load(ticks().path().string());
    simdjson::ondemand::parser parser;
    std::size_t bytes = 0;
    std::string_view rest(text.value_unsafe());
    while (!rest.empty()) {
      std::size_t const end = rest.find('\n');
      auto doc = parser.iterate(rest.data(), end, rest.size() + simdjson::SIMDJSON_PADDING);
      auto object = doc.get_object();
      std::string_view symbol = object["symbol"].get_string();
      benchmark::DoNotOptimize(object["trade_id"].raw_json_token().value().data());
      std::string_view price = object["price"].get_string();
      std::string_view size = object["size"].get_string();
      benchmark::DoNotOptimize(size.data());
      benchmark::DoNotOptimize(object["time"].raw_json_token().value().data());
      bytes += symbol.size() + price.size();
      rest.remove_prefix(end + 1);
    }
    benchmark::DoNotOptimize(bytes);
  }
  bench::per_element(state, lines);
}

BENCHMARK(simdjson_by_hand)->Name("NDJSON file, simdjson by hand");
BENCHMARK(replay_ndjson)->Name("NDJSON file, weir::file");

}  // namespace
