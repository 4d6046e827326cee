// error: a generator runs ahead of checkpoints
#include <weir/stream.hpp>
#include <weir/stream_context.hpp>

weir::stream<int> misuse(weir::stream<int> numbers, weir::stream_context& context) {
  while (int* x = co_await numbers.next()) {
    co_await context.send("seen", *x);
    co_yield *x;
  }
}
