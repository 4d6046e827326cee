#include "judge_logins.hpp"

#include <algorithm>

namespace fraud {

void judge_logins::element(login const& l, state& s, context& c) const {
  if (c.is_late()) return;
  auto const place =
      std::upper_bound(s.waiting.begin(), s.waiting.end(), l.time, [](weir::instant t, login const& w) { return t < w.time; });
  s.waiting.insert(place, l);
  c.set_timer(l.time + 1);  // when the watermark is there, no login of the same time is missing
}

void judge_logins::timer(weir::instant at, state& s, context& c) const {
  auto const due = std::find_if(s.waiting.begin(), s.waiting.end(), [at](login const& w) { return w.time >= at; });
  for (auto l = s.waiting.begin(); l != due; ++l)
    if (auto const found = judge(*l, s.past, rules_)) c.emit(*found);
  s.waiting.erase(s.waiting.begin(), due);
}

}  // namespace fraud
