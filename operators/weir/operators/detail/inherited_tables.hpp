#pragma once
#include <weir/instant.hpp>
#include <weir/ledger.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace weir::detail {

// What windows take over from partitions that went before, each with the watermark that had been reached there. They are taken in by that,
// so that windows which one had closed already are not opened again, nor those of another left open.
template <class Tables> class inherited_tables {
public:
  struct part {
    part(instant w, Tables t, tally c) : reached(w), tables(std::move(t)), counts(c) {}
    instant reached;
    Tables tables;
    tally counts;
  };
  bool empty() const noexcept { return parts_.empty(); }
  void add(part p) {
    auto const behind = std::upper_bound(parts_.begin(), parts_.end(), p.reached, [](instant w, part const& o) { return w < o.reached; });
    parts_.insert(behind, std::move(p));
  }
  // With the restore: those which are back furthest. `into`, `watermark`, `counts`: the stage's; `went_on()` follows.
  template <class WentOn> void take_in_first(Tables& into, instant& watermark, tally& counts, WentOn went_on) {
    watermark = parts_.front().reached;
    auto const next = std::find_if(parts_.begin(), parts_.end(), [watermark](part const& p) { return p.reached != watermark; });
    for (auto p = parts_.begin(); p != next; ++p) {
      for (auto const& t : p->tables) into.take_over(*t, [](auto const&) { return true; });
      counts += p->counts;
    }
    parts_.erase(parts_.begin(), next);
    went_on();
  }
  // With the next mark, which is the watermark of the furthest, whose own windows have fired before: the others, each when `advance()` has
  // brought to where it was what had been taken in before. False: the stage is to give control back.
  template <class Advance, class WentOn>
  bool take_in_others(Tables& into, instant& watermark, tally& counts, Advance advance, WentOn went_on) {
    bool more = true;
    while (!parts_.empty()) {
      watermark = parts_.front().reached;
      more = advance() && more;
      take_in_first(into, watermark, counts, went_on);
    }
    return more;
  }
  void clear() noexcept { parts_.clear(); }

private:
  std::vector<part> parts_;
};

}  // namespace weir::detail
