// How many requests came in the last ten minutes, every five minutes. One that comes too late for a window is told apart for that window.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/weir.hpp>

#include <iostream>

using namespace std::chrono_literals;

struct request {
  std::chrono::sys_time<std::chrono::minutes> time;
};
constexpr request at(std::chrono::minutes m) { return {std::chrono::sys_time<std::chrono::minutes>(m)}; }

std::ostream& operator<<(std::ostream& out, weir::time_window w) {
  return out << '[' << w.start / 60'000'000'000 << ", " << w.end / 60'000'000'000 << ')';
}

int main() {
  weir::testing::script<request> requests;
  requests.element(at(1min)).element(at(4min)).element(at(7min)).element(at(12min)).element(at(2min));

  weir::application app;
  app.use_memory_stream(requests, [](auto& pipeline) {
    pipeline.use_stream([](weir::stream<request> in, weir::cancellation) -> weir::task<> {
      auto tell = [](request const&, weir::lateness const& l) { std::cout << "too late for " << l.window << '\n'; };
      auto counts = std::move(in) | weir::event_time(&request::time, weir::monotonic()) |
                    weir::sliding_window(10min, 5min, weir::late::side_output(tell)) | weir::aggregate(weir::count());
      while (auto* c = co_await counts.next()) std::cout << c->window << ": " << c->value << '\n';
    });
  });
  return app.run();
}
