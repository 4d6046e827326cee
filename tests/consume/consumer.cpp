#include <weir/operators/map.hpp>
#include <weir/spawn.hpp>
#include <weir/stream.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdio>

namespace {

weir::stream<int> numbers() {
  for (int n = 1; n <= 3; ++n) co_yield n;
}

weir::task<> print() {
  auto doubled = numbers() | weir::map([](int n) { return 2 * n; });
  char const* before = "";
  while (int const* n = co_await doubled.next()) {
    std::printf("%s%d", before, *n);
    before = " ";
  }
  std::puts("");
}

}  // namespace

int main() {
  boost::asio::io_context io;
  weir::spawn(io.get_executor(), print(), boost::asio::detached);
  io.run();
}
