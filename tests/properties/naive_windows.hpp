// Event time and windows as their documentation says it, one element at a time and without any cleverness: what the operators must equal.
#pragma once
#include <weir/instant.hpp>
#include <weir/ledger.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

struct item {
  int key;
  instant time;
  int index;  ///< when it came
};

enum class emission { final, early, on_each };

struct window_rules {
  instant size = 1, slide = 1, offset = 0;  ///< ns
  instant bound = 0;
  bool updates = false;
  instant allowed = 0;
  emission emits = emission::final;
  instant every = 1;
  bool sliced() const { return size != slide && !updates && emits == emission::final; }
};

class naive_windows {
public:
  explicit naive_windows(window_rules r) : rules_(r) {}

  std::vector<std::string> results, missed;
  tally counts;

  void take(item x) {
    for (instant const start : windows_of(x.time)) place(x, start);
    if (highest_ && x.time <= *highest_) return;
    highest_ = x.time;
    pass(x.time - rules_.bound - 1);
  }
  void end() { pass(std::nullopt); }

  /// Each window's and key's content when everything is known at once.
  static std::set<std::string> batch(window_rules const& r, std::vector<item> const& all) {
    naive_windows const here(r);
    std::map<std::pair<instant, int>, std::vector<item>> groups;
    for (item const& x : all)
      for (instant const start : here.windows_of(x.time)) groups[{start, x.key}].push_back(x);
    std::set<std::string> out;
    for (auto const& [where, xs] : groups) out.insert(here.result(where.first, where.second, xs));
    return out;
  }
  static std::string shown(int key, instant start, instant end, std::uint64_t n, std::int64_t sum) {
    return std::to_string(key) + "[" + std::to_string(start) + "," + std::to_string(end) + ")=" + std::to_string(n) + "," +
           std::to_string(sum);
  }
  static std::string shown_missed(item const& x, instant start, instant end) {
    return std::to_string(x.index) + "[" + std::to_string(start) + "," + std::to_string(end) + ")";
  }

private:
  struct given {
    int times = 0;
    bool changed = false;
  };
  struct window {
    bool fired = false;
    std::vector<item> elements;
    std::map<int, given> keys;
  };
  static instant floor_div(instant a, instant b) { return a / b - (a % b < 0); }

  std::vector<instant> windows_of(instant t) const {
    std::vector<instant> starts;
    for (instant s = floor_div(t - rules_.offset, rules_.slide) * rules_.slide + rules_.offset; s > t - rules_.size; s -= rules_.slide)
      starts.insert(starts.begin(), s);
    return starts;
  }
  bool reached(instant t) const { return ended_ || (watermark_ && *watermark_ >= t); }

  void place(item x, instant start) {
    ++counts.in;
    if (reached(start + rules_.size + (rules_.updates ? rules_.allowed : 0))) {
      ++counts.late;
      missed.push_back(shown_missed(x, start, start + rules_.size));
      return;
    }
    window& w = open_[start];
    w.fired = reached(start + rules_.size);
    w.elements.push_back(x);
    w.keys[x.key].changed = true;
    ++(w.fired ? counts.out : counts.open);
    if (w.fired) give(start, x.key, "late");
    else if (rules_.emits == emission::on_each) give(start, x.key, "early");
  }
  void pass(std::optional<instant> to) {
    std::optional<instant> const before = watermark_;
    watermark_ = to;
    ended_ = !to;
    for (auto& [start, w] : open_) {
      if (w.fired || !reached(start + rules_.size)) continue;
      for (int const key : keys_of(w)) give(start, key, "on_time");
      w.fired = true;
      counts.open -= w.elements.size();
      counts.out += w.elements.size();
    }
    std::erase_if(open_, [this](auto const& w) { return reached(w.first + rules_.size + (rules_.updates ? rules_.allowed : 0)); });
    bool const multiple = before && to && floor_div(*before - rules_.offset, rules_.every) < floor_div(*to - rules_.offset, rules_.every);
    if (rules_.emits != emission::early || !multiple) return;
    for (auto& [start, w] : open_) {
      if (w.fired) continue;
      for (int const key : keys_of(w))
        if (w.keys[key].changed) give(start, key, "early");
    }
  }
  // In first-seen order; of windows made of slices, slice by slice.
  std::vector<int> keys_of(window const& w) const {
    std::vector<item> in_order = w.elements;
    instant const width = std::gcd(rules_.size, rules_.slide);
    if (rules_.sliced()) {
      std::ranges::stable_sort(in_order, {}, [&](item const& x) { return floor_div(x.time - rules_.offset, width); });
    }
    std::vector<int> keys;
    for (item const& x : in_order)
      if (std::ranges::find(keys, x.key) == keys.end()) keys.push_back(x.key);
    return keys;
  }
  void give(instant start, int key, char const* pane) {
    window& w = open_[start];
    given& g = w.keys[key];
    results.push_back(result(start, key, w.elements) + "/" + pane + std::to_string(g.times++));
    g.changed = false;
  }
  std::string result(instant start, int key, std::vector<item> const& elements) const {
    std::uint64_t n = 0;
    std::int64_t sum = 0;
    for (item const& x : elements) {
      if (x.key != key) continue;
      ++n;
      sum += x.index;
    }
    return shown(key, start, start + rules_.size, n, sum);
  }

  window_rules rules_;
  std::optional<instant> highest_, watermark_;
  bool ended_ = false;
  std::map<instant, window> open_;
};

}  // namespace weir::test
