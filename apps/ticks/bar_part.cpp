#include "bar_part.hpp"

#include <weir/error.hpp>

#include <algorithm>

namespace ticks {

std::optional<stored_bar> bar_parts::put(std::int64_t source, closed_bar const& b) {
  bool const open = b.pane == weir::pane::early;
  auto own = std::find_if(parts_.begin(), parts_.end(), [source](bar_part const& p) { return p.source >= source; });
  if (own == parts_.end() || own->source != source) {
    own = parts_.insert(own, bar_part());
    own->source = source;
  }
  if (own->value == b.value && (open || !own->open)) return std::nullopt;
  own->value = b.value;
  own->open = open;
  if (!open) ++own->revision;
  changed_ = *own;
  return whole();
}

stored_bar bar_parts::whole() const {
  stored_bar out;
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
