#include "market_source.hpp"

#include <weir/context.hpp>
#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <utility>

namespace ticks {
namespace {

constexpr std::size_t chunk_size = 128;
constexpr std::chrono::minutes longest_wait(1);  // then look at the clock again

tick to_tick(generator const& market, made_trade const& t) {
  return tick(market.symbols()[t.symbol_index], t.price, t.size, trade_order{t.time, t.trade_id}, weir::position(market.made()));
}

// When, on the wall, an event time is due.
class pace {
public:
  pace(double speed, weir::instant wall, std::int64_t event) noexcept : speed_(speed), wall_(wall), event_(event) {}
  bool is_due(std::int64_t event, weir::instant now) const noexcept { return wait(event, now).count() <= 0; }
  std::chrono::nanoseconds wait(std::int64_t event, weir::instant now) const noexcept {
    double const ahead = std::min(static_cast<double>(event - event_) / speed_, 1e18);
    return std::chrono::nanoseconds(static_cast<std::int64_t>(ahead) - (now - wall_));
  }

private:
  double speed_;
  weir::instant wall_;
  std::int64_t event_;
};

weir::stream<tick> as_fast_as_pulled(generator market, std::uint64_t last) {
  std::vector<tick> chunk(chunk_size);
  while (market.made() < last) {
    std::size_t const n = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, last - market.made()));
    for (std::size_t i = 0; i != n; ++i) {
      made_trade const t = market.next();
      chunk[i] = to_tick(market, t);
    }
    co_yield std::span<tick>(chunk.data(), n);
  }
}

weir::stream<tick> at_pace(generator market, std::uint64_t last, double speed) {
  if (market.made() >= last) co_return;
  weir::context& here = co_await weir::current_context();
  made_trade const first = market.next();
  tick next = to_tick(market, first);
  pace const due(speed, here.clock().now(), next.time());
  std::vector<tick> chunk;
  chunk.reserve(chunk_size);
  for (bool more = true; more;) {
    for (;;) {
      auto const wait = due.wait(next.time(), here.clock().now());
      if (wait.count() <= 0) break;
      co_await weir::sleep_for(std::min<std::chrono::nanoseconds>(wait, longest_wait));
    }
    chunk.clear();
    weir::instant const now = here.clock().now();
    do {
      chunk.push_back(next);
      more = market.made() < last;
      if (!more) break;
      made_trade const t = market.next();
      next = to_tick(market, t);
    } while (chunk.size() != chunk_size && due.is_due(next.time(), now));
    co_yield std::span<tick>(chunk);
  }
}

weir::stream<tick> trades(generator market, std::uint64_t done, std::uint64_t last, double speed) {
  constexpr std::uint64_t slice = 1'000'000;  // some 15 ms: signals and timers get their turn in between
  while (market.made() < std::min(done, last)) {
    market.skip(std::min({slice, done - market.made(), last - market.made()}));
    co_await weir::reschedule();
    weir::context& here = co_await weir::current_context();
    here.cancellation().throw_if_requested();
  }
  auto rest = speed > 0 ? at_pace(std::move(market), last, speed) : as_fast_as_pulled(std::move(market), last);
  while (weir::chunk<tick> c = co_await weir::next_chunk(rest)) co_yield c;
}

}  // namespace

market_source::market_source(market m, std::uint64_t count, double speed)
    : market_(m), count_(count), speed_(speed), name_("built-in " + m.identity()) {
  generator const checked(m);
}

weir::stream<tick> market_source::open(std::string, std::optional<weir::position> after) {
  std::uint64_t const last = count_ == 0 ? std::numeric_limits<std::uint64_t>::max() : count_;
  return trades(generator(market_), after ? after->offset() : 0, last, speed_);
}

}  // namespace ticks
