// The mean of each three readings of a sensor, and of what is left when it has been silent for an hour.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/accumulators/mean.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

struct reading {
  std::string sensor;
  std::chrono::sys_time<std::chrono::minutes> time;
  double celsius;
};
constexpr std::chrono::sys_time<std::chrono::minutes> at(std::chrono::minutes m) { return std::chrono::sys_time<std::chrono::minutes>(m); }

int main() {
  weir::testing::script<reading> readings;
  readings.element({"attic", at(0min), 20}).element({"attic", at(1min), 21}).element({"cellar", at(2min), 10});
  readings.element({"attic", at(3min), 22}).element({"attic", at(4min), 30}).element({"cellar", at(70min), 12});

  weir::application app;
  app.use_memory_stream(readings, [](auto& pipeline) {
    pipeline.use_stream([](weir::stream<reading> in, weir::cancellation) -> weir::task<> {
      auto means = std::move(in) | weir::event_time(&reading::time, weir::monotonic()) | weir::key_by(&reading::sensor) |
                   weir::global_window(weir::trigger::count(3).discarding(), weir::expire_after(1h), weir::late::drop()) |
                   weir::aggregate(weir::mean(&reading::celsius));
      while (auto* mean = co_await means.next()) std::cout << mean->key << ": " << *mean->value << '\n';
    });
  });
  return app.run();
}
