// The price at the time of the trade: each trade with the last quote of its symbol that is not behind it.
#include <weir/memory/use_memory_stream.hpp>
#include <weir/operators/as_of_join.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using seconds = std::chrono::sys_seconds;

struct trade {
  std::string symbol;
  seconds time;
  int size;
};
struct quote {
  std::string symbol;
  seconds time;
  int price;
};
template <> struct weir::codec<trade> {  // elements of a join are part of checkpoints
  static void encode(trade const& t, std::vector<std::byte>& to) { encode_state(std::tuple(t.symbol, t.time, t.size), to); }
  static trade decode(std::span<std::byte const>& from) {
    auto [symbol, time, size] = decode_part<std::tuple<std::string, seconds, int>>(from);
    return {symbol, time, size};
  }
};
template <> struct weir::codec<quote> {
  static void encode(quote const& q, std::vector<std::byte>& to) { encode_state(std::tuple(q.symbol, q.time, q.price), to); }
  static quote decode(std::span<std::byte const>& from) {
    auto [symbol, time, price] = decode_part<std::tuple<std::string, seconds, int>>(from);
    return {symbol, time, price};
  }
};

weir::task<> print(std::vector<trade> trades, std::vector<quote> quotes) {
  auto left = weir::from(std::move(trades)) | weir::event_time(&trade::time, weir::bounded_disorder(10s)) | weir::key_by(&trade::symbol);
  auto right = weir::from(std::move(quotes)) | weir::event_time(&quote::time, weir::bounded_disorder(10s)) | weir::key_by(&quote::symbol);
  auto priced = weir::as_of_join(std::move(left), std::move(right), 1min, weir::late::drop());
  while (auto* p = co_await priced.next())
    std::cout << p->left->size << ' ' << p->key << " at " << (p->right ? std::to_string(p->right->price) : "no price") << '\n';
}

int main() {
  auto at = [](std::chrono::seconds s) { return seconds(s); };
  weir::testing::run(print({{"BTC", at(25s), 2}, {"BTC", at(12s), 1}, {"ETH", at(26s), 7}},
                           {{"BTC", at(5s), 100}, {"BTC", at(30s), 102}, {"BTC", at(20s), 101}}));
}
