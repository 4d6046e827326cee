// The mean temperature per sensor and minute. A reading that comes when its minute is over is dropped, and counted.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/accumulators/mean.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

struct reading {
  std::string sensor;
  std::chrono::sys_seconds time;
  double celsius;
};
constexpr std::chrono::sys_seconds at(std::chrono::seconds s) { return std::chrono::sys_seconds(s); }

int main() {
  weir::testing::script<reading> readings;
  readings.element({"attic", at(5s), 20}).element({"cellar", at(12s), 11}).element({"attic", at(50s), 22});
  readings.element({"attic", at(75s), 23});   // the watermark is 10 s behind: the first minute is over
  readings.element({"cellar", at(30s), 99});  // too late

  weir::ledger books;
  weir::application app;
  app.use_memory_stream(readings, [books](auto& pipeline) {
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-capturing-lambda-coroutines): the pipeline keeps its handler
    pipeline.use_stream([books](weir::stream<reading> in, weir::cancellation) -> weir::task<> {
      // [readme
      auto means = std::move(in) | weir::event_time(&reading::time, weir::bounded_disorder(10s)) | weir::key_by(&reading::sensor) |
                   weir::tumbling_window(1min, weir::late::drop()) |
                   weir::aggregate(weir::mean(&reading::celsius)).counted_in(books, "means");
      while (auto* mean = co_await means.next())
        std::cout << mean->key << ", minute " << mean->window.start / 60'000'000'000 << ": " << *mean->value << '\n';
      // readme]
    });
  });
  int const code = app.run();
  std::cout << books.sum("means").late << " late\n";
  return code;
}
