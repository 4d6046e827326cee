// error: a generator runs ahead of checkpoints
#include <weir/named_sink.hpp>
#include <weir/stream.hpp>

weir::stream<int> misuse(weir::stream<int> numbers, weir::named_sink<int> out) {
  while (int* x = co_await numbers.next()) {
    co_await out.write(*x);
    co_yield *x;
  }
}
