#include "bar_part.hpp"

#include <weir/error.hpp>

#include <algorithm>

namespace ticks {

bool bar_parts::put(std::int64_t source, closed_bar const& b) {
  bool const open = b.pane == weir::pane::early;
  auto own = std::find_if(parts_.begin(), parts_.end(), [source](bar_part const& p) { return p.source >= source; });
  if (own == parts_.end() || own->source != source) {
    own = parts_.insert(own, bar_part());
    own->source = source;
  }
  if (own->value == b.value && (open || !own->open)) return false;
  own->value = b.value;
  own->open = open;
  if (!open) ++own->revision;
  return true;
}

bar_part const& bar_parts::of(std::int64_t source) const noexcept {
  return *std::find_if(parts_.begin(), parts_.end(), [source](bar_part const& p) { return p.source == source; });
}

whole_bar bar_parts::whole() const {
  whole_bar out;
  for (bar_part const& p : parts_) {
    if (!out.value.merge(p.value)) {
      throw weir::error(weir::errc::out_of_range, "bars: cannot merge the bars of several inputs",
                        "the sum of the volumes does not fit in 38 digits", "correct the sizes in the input");
    }
    out.revision += p.revision;
  }
  return out;
}

}  // namespace ticks
