// A sum per minute, with what there is so far every twenty seconds of event time.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/weir.hpp>

#include <iostream>

using namespace std::chrono_literals;

struct payment {
  std::chrono::sys_seconds time;
  int cents;
};
constexpr payment pays(std::chrono::seconds at, int cents) { return {std::chrono::sys_seconds(at), cents}; }

int main() {
  weir::testing::script<payment> payments;
  payments.element(pays(5s, 10)).element(pays(15s, 20)).element(pays(25s, 30)).element(pays(45s, 40)).element(pays(65s, 50));

  weir::application app;
  app.use_memory_stream(payments, [](auto& pipeline) {
    pipeline.use_stream([](weir::stream<payment> in, weir::cancellation) -> weir::task<> {
      auto sums = std::move(in) | weir::event_time(&payment::time, weir::monotonic()) |
                  weir::tumbling_window(1min, weir::late::drop(), weir::emit::early(20s)) | weir::aggregate(weir::sum(&payment::cents));
      while (auto* s = co_await sums.next())
        std::cout << "minute " << s->window.start / 60'000'000'000 << (s->pane == weir::pane::early ? " so far: " : ": ") << s->value
                  << '\n';
    });
  });
  return app.run();
}
