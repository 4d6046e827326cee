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
  // Where the least of them is.
  instant reached() const noexcept { return parts_.front().reached; }
  void add(part p) {
    auto const behind = std::upper_bound(parts_.begin(), parts_.end(), p.reached, [](instant w, part const& o) { return w < o.reached; });
    parts_.insert(behind, std::move(p));
  }
  part take_first() {
    part p = std::move(parts_.front());
    parts_.erase(parts_.begin());
    return p;
  }
  void clear() noexcept { parts_.clear(); }

private:
  std::vector<part> parts_;
};

}  // namespace weir::detail
