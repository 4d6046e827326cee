#include "bar.hpp"

namespace ticks {

bool bar::add(trade_order order, decimal const& price, decimal const& size) noexcept {
  auto const sum = volume.plus(size);
  if (!sum) return false;
  volume = *sum;
  if (trades++ == 0) {
    open = high = low = close = price;
    first = last = order;
    return true;
  }
  if (order < first) {
    first = order;
    open = price;
  }
  if (order >= last) {
    last = order;
    close = price;
  }
  if (price > high) high = price;
  if (price < low) low = price;
  return true;
}

bool bar::merge(bar const& other) noexcept {
  if (other.trades == 0) return true;
  if (trades == 0) {
    *this = other;
    return true;
  }
  auto const sum = volume.plus(other.volume);
  if (!sum) return false;
  volume = *sum;
  trades += other.trades;
  if (other.first < first) {
    first = other.first;
    open = other.open;
  }
  if (other.last >= last) {
    last = other.last;
    close = other.close;
  }
  if (other.high > high) high = other.high;
  if (other.low < low) low = other.low;
  return true;
}

}  // namespace ticks
