#include <weir/shared_bytes.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using weir::shared_bytes;
using weir::shared_bytes_stock;

TEST_CASE("a block lives as long as one reference") {
  shared_bytes kept;
  CHECK_FALSE(kept);
  {
    shared_bytes const first = shared_bytes::copy_of("hello");
    kept = first;
    CHECK(kept == first);
    CHECK_FALSE(first.unique());
  }
  CHECK(kept.unique());
  CHECK(kept.view() == "hello");
  CHECK(kept.capacity() == 5);
  shared_bytes const moved = std::move(kept);
  CHECK_FALSE(kept);
  CHECK(moved.unique());
}

TEST_CASE("a block may be empty and is aligned for anything") {
  CHECK(shared_bytes::copy_of("").view().empty());
  CHECK(reinterpret_cast<std::uintptr_t>(shared_bytes(1).data()) % alignof(std::max_align_t) == 0);
}

TEST_CASE("extensions live with the block and can be freed when it is used again") {
  shared_bytes block(8);
  char* const a = block.extend(1000);
  char* const b = block.extend(2000);
  std::memset(a, 1, 1000);
  std::memset(b, 2, 2000);
  CHECK(reinterpret_cast<std::uintptr_t>(b) % alignof(std::max_align_t) == 0);
  CHECK(a[999] == 1);
  block.shrink();
  std::memset(block.extend(10), 3, 10);
}

TEST_CASE("a stock hands references out, takes them back, and drops what is left") {
  shared_bytes const block = shared_bytes::copy_of("x");
  std::vector<shared_bytes> out;
  {
    shared_bytes_stock stock(block, 100);
    CHECK(stock.left() == 100);
    for (int i = 0; i < 10; ++i) out.push_back(stock.take());
    CHECK(stock.left() == 90);
    stock.put_back(std::move(out.back()));
    CHECK(stock.left() == 91);
    out.pop_back();
    stock.put_back(shared_bytes());
    stock.put_back(shared_bytes::copy_of("another block"));
    CHECK(stock.left() == 91);
    shared_bytes_stock const other = std::move(stock);
    CHECK(other.left() == 91);
    CHECK(stock.left() == 0);
  }
  CHECK_FALSE(block.unique());
  for (shared_bytes const& r : out) CHECK(r.view() == "x");
  out.clear();
  CHECK(block.unique());
}

TEST_CASE("a stock keeps its block alive") {
  shared_bytes_stock stock;
  {
    shared_bytes const block = shared_bytes::copy_of("text");
    stock = shared_bytes_stock(block, 2);
  }
  shared_bytes const last = stock.take();
  stock = shared_bytes_stock();
  CHECK(last.view() == "text");
  CHECK(last.unique());
}

TEST_CASE("references may be dropped on any thread") {
  for (int round = 0; round < 50; ++round) {
    shared_bytes block(64);
    std::memset(block.data(), round, 64);
    std::vector<std::thread> threads;
    {
      shared_bytes_stock stock(block, 1000);
      for (int t = 0; t < 3; ++t) {
        std::vector<shared_bytes> some;
        for (int i = 0; i < 200; ++i) some.push_back(stock.take());
        threads.emplace_back([some = std::move(some), round]() mutable {
          int sum = 0;
          for (shared_bytes& r : some) {
            sum += r.data()[63];
            r = shared_bytes();
          }
          if (sum != 200 * round) std::abort();
        });
      }
    }
    while (!block.unique()) std::this_thread::yield();
    std::memset(block.data(), -1, 64);  // nobody reads it any more
    for (std::thread& t : threads) t.join();
  }
}
