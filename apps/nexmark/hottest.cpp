#include "hottest.hpp"

#include <algorithm>

namespace nexmark {
namespace {

using state = hottest::state;

void change(state& s, std::int64_t auction, std::int64_t by) {
  std::int64_t& bids = s.bids[auction];
  bids += by;
  if (bids == 0) {
    s.bids.erase(auction);
  } else {
    s.greatest.emplace_back(bids, auction);
    std::push_heap(s.greatest.begin(), s.greatest.end());
  }
}

bool outdated(state const& s, std::pair<std::int64_t, std::int64_t> const& entry) {
  std::int64_t const* const bids = s.bids.find(entry.second);
  return bids == nullptr || *bids != entry.first;
}

// Those on top that have as many bids as the first of them, which stay there.
std::vector<std::pair<std::int64_t, std::int64_t>> top(state& s) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  while (!s.greatest.empty() && (found.empty() || s.greatest.front().first == found.front().first)) {
    std::pop_heap(s.greatest.begin(), s.greatest.end());
    auto const entry = s.greatest.back();
    s.greatest.pop_back();
    // One that has had this many bids before is there twice; equal entries come one behind the other.
    if (!outdated(s, entry) && (found.empty() || found.back() != entry)) found.push_back(entry);
  }
  for (auto const& entry : found) {
    s.greatest.push_back(entry);
    std::push_heap(s.greatest.begin(), s.greatest.end());
  }
  return found;
}

// Outdated ones below the top are not met by themselves.
void drop_outdated(state& s) {
  if (s.greatest.size() < 1024 || s.greatest.size() < 3 * s.bids.size()) return;
  std::erase_if(s.greatest, [&s](auto const& entry) { return outdated(s, entry); });
  std::sort(s.greatest.begin(), s.greatest.end());
  s.greatest.erase(std::unique(s.greatest.begin(), s.greatest.end()), s.greatest.end());
  std::make_heap(s.greatest.begin(), s.greatest.end());
}

}  // namespace

void hottest::element(bid_count const& c, state& s, context& to) const {
  bool const begins_slice = s.slices.empty() || s.slices.back().window.end != c.window.end;
  s.slices.push_back(c);
  if (!begins_slice) return;
  for (weir::instant end = c.window.end; end < c.window.end + size_; end += slide_) to.set_timer(end);
}

void hottest::timer(weir::instant end, state& s, context& to) const {
  for (; s.entered != s.slices.size() && s.slices[s.entered].window.end <= end; ++s.entered)
    change(s, s.slices[s.entered].key, static_cast<std::int64_t>(s.slices[s.entered].value));
  for (auto const& [bids, auction] : top(s))
    to.emit(bid_count(auction, weir::time_window(end - size_, end), static_cast<std::uint64_t>(bids)), end - 1);

  for (; s.left != s.entered && s.slices[s.left].window.start <= end - size_; ++s.left)
    change(s, s.slices[s.left].key, -static_cast<std::int64_t>(s.slices[s.left].value));
  drop_outdated(s);
  if (s.left < s.slices.size() / 2 || s.left == 0) return;
  s.slices.erase(s.slices.begin(), s.slices.begin() + static_cast<std::ptrdiff_t>(s.left));
  s.entered -= s.left;
  s.left = 0;
}

}  // namespace nexmark
