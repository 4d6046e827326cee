#pragma once

#include "bar.hpp"
#include "tick.hpp"

#include <weir/instant.hpp>

namespace ticks {

/// The accumulator (`weir::accumulator`) that makes bars of ticks. Open and close go by event time and trade id.
/// Errors: `weir::error` when a volume would need more than 38 digits.
class bar_fold {
public:
  using state = bar;

  void add(bar& b, tick const& t, weir::instant) const {
    if (!b.add(t.order, t.price, t.size)) [[unlikely]]
      fail(t);
  }
  void merge(bar& b, bar const& other) const {
    if (!b.merge(other)) [[unlikely]]
      fail();
  }
  bar result(bar const& b) const { return b; }

private:
  [[noreturn]] static void fail(tick const& t);
  [[noreturn]] static void fail();
};

}  // namespace ticks
