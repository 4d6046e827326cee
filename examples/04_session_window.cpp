// Visits: clicks of one visitor with less than half an hour between them. A click that comes an hour late may still change a visit that was
// told: what is no longer true is taken back first.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/retraction.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

struct click {
  std::string visitor;
  std::chrono::sys_time<std::chrono::minutes> time;
};
constexpr std::chrono::sys_time<std::chrono::minutes> at(std::chrono::minutes m) { return std::chrono::sys_time<std::chrono::minutes>(m); }

int main() {
  weir::testing::script<click> clicks;
  clicks.element({"ann", at(0min)}).element({"ann", at(10min)}).element({"ann", at(60min)});
  clicks.element({"ann", at(35min)});  // joins the two visits

  weir::application app;
  app.use_memory_stream(clicks, [](auto& pipeline) {
    pipeline.use_stream([](weir::stream<click> in, weir::cancellation) -> weir::task<> {
      auto visits = std::move(in) | weir::event_time(&click::time, weir::monotonic()) | weir::key_by(&click::visitor) |
                    weir::session_window(30min, weir::late::update(1h)) | weir::aggregate(weir::count());
      while (auto* v = co_await visits.next()) {
        std::cout << v->key << " [" << v->window.start / 60'000'000'000 << ", " << v->window.end / 60'000'000'000 << ")";
        if (weir::is_retraction(*v)) std::cout << " is taken back\n";
        else std::cout << ": " << v->value << " clicks\n";
      }
    });
  });
  return app.run();
}
