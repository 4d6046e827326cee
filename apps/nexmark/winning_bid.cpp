#include "winning_bid.hpp"

#include <variant>

namespace nexmark {

void winning_bid::element(event const& e, state& s, context& c) const {
  if (auto const* a = std::get_if<auction>(&e)) {
    s.what = *a;
    s.open = true;
    s.bid_for = s.bid_for && s.best.time >= a->time;
    c.set_timer(a->expires + 1);  // when the watermark is there, no bid of the last moment is missing
    return;
  }
  bid const& b = *std::get_if<bid>(&e);
  if (s.open && b.time > s.what.expires) return;
  bool const too_early = !s.open && b.time > s.best.time;  // the kept one: an auction that comes from here on opens behind it
  if (s.bid_for && !too_early && b.price <= s.best.price) return;
  s.best = b;
  s.bid_for = true;
}

void winning_bid::timer(weir::instant, state& s, context& c) const {
  if (s.bid_for) c.emit({s.what, s.best});
  c.forget();
}

}  // namespace nexmark
