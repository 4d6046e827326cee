#include <weir/operators/detail/window_listing.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace weir::detail {

window_listing::entry::entry(open_window w, std::uint64_t s, std::uint32_t k) : window(std::move(w)), seq(s), key(k) {}

window_listing::window_listing(std::string name, std::string_view kind, instant watermark) : name_(std::move(name)), kind_(kind) {
  rest_.start = end_of_time;
  rest_.end = rest_.closes = start_of_time;
  rest_.watermark = watermark;
  rest_.fired = true;
}

bool window_listing::sooner(entry const& a, entry const& b) noexcept {
  return std::tie(a.window.end, a.seq) < std::tie(b.window.end, b.seq);
}

void window_listing::add(open_window w, std::uint64_t seq, std::uint32_t key) {
  w.operator_name = name_;
  w.keys = 1;
  w.watermark = rest_.watermark;
  first_.emplace_back(std::move(w), seq, key);
  std::push_heap(first_.begin(), first_.end(), sooner);
  if (first_.size() <= most) return;
  std::pop_heap(first_.begin(), first_.end(), sooner);
  add_to_rest(first_.back());
  first_.pop_back();
}

void window_listing::add_to_rest(entry const& one) {
  keys_of_rest_.push_back(one.key);
  rest_.elements += one.window.elements;
  rest_.start = std::min(rest_.start, one.window.start);
  rest_.end = std::max(rest_.end, one.window.end);
  rest_.closes = std::max(rest_.closes, one.window.closes);
  rest_.fired = rest_.fired && one.window.fired;
}

void window_listing::list(explanation& e) && {
  std::sort_heap(first_.begin(), first_.end(), sooner);
  for (entry& one : first_) e.windows.push_back(std::move(one.window));
  if (keys_of_rest_.empty()) return;
  rest_.operator_name = std::to_string(keys_of_rest_.size()) + " more " + std::string(kind_);
  if (!name_.empty()) rest_.operator_name += " of " + name_;
  rest_.windows = keys_of_rest_.size();
  std::sort(keys_of_rest_.begin(), keys_of_rest_.end());
  rest_.keys = static_cast<std::size_t>(std::unique(keys_of_rest_.begin(), keys_of_rest_.end()) - keys_of_rest_.begin());
  e.windows.push_back(std::move(rest_));
}

}  // namespace weir::detail
