// Five deliveries of four events: an at-least-once source and ids give each event one effect, and the ids are forgotten when the watermark
// says that no more duplicates of them can come.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

struct event {
  std::string id, action;
  std::chrono::sys_seconds time;
};
constexpr std::chrono::sys_seconds at(std::chrono::seconds s) { return std::chrono::sys_seconds(s); }

int main() {
  weir::testing::script<event> delivered;
  delivered.elements({{"evt-100", "checkout", at(1s)},
                      {"evt-101", "checkout", at(2s)},
                      {"evt-102", "signup", at(3s)},
                      {"evt-102", "signup", at(3s)},  // again, after a reconnect
                      {"evt-103", "checkout", at(4s)}});

  weir::ledger books;
  weir::application app;
  app.use_memory_stream(delivered, [books](auto& pipeline) {
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-capturing-lambda-coroutines): the pipeline keeps its handler
    pipeline.use_stream([books](weir::stream<event> in, weir::cancellation) -> weir::task<> {
      auto counts = std::move(in) | weir::event_time(&event::time, weir::bounded_disorder(5s)) |
                    weir::dedup(&event::id, 10min).counted_in(books, "actions") | weir::key_by(&event::action) |
                    weir::tumbling_window(1h, weir::late::drop()) | weir::aggregate(weir::count()).counted_in(books, "actions");
      while (auto* c = co_await counts.next()) std::cout << c->key << ": " << c->value << '\n';
    });
  });
  int const code = app.run();
  std::cout << books.sum("actions").duplicate << " duplicate\n";
  return code;
}
