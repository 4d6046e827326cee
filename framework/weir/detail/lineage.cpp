#include <weir/detail/lineage.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace weir::detail {

std::uint64_t lineage::new_family() noexcept {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void lineage::add(std::uint64_t family, std::string line) {
  auto const same = [&](place const& p) { return p.family == family && p.line == line; };
  if (std::none_of(places_.begin(), places_.end(), same)) places_.emplace_back(family, std::move(line));
}

void lineage::add(lineage const& other) {
  for (place const& p : other.places_) add(p.family, p.line);
}

bool lineage::has(std::uint64_t family) const noexcept {
  return std::any_of(places_.begin(), places_.end(), [family](place const& p) { return p.family == family; });
}

// In an order that does not depend on that of the inputs.
std::string lineage::line(std::uint64_t family) const {
  std::vector<std::string_view> lines;
  for (place const& p : places_)
    if (p.family == family) lines.push_back(p.line);
  if (lines.empty()) return {};
  std::sort(lines.begin(), lines.end());
  if (lines.size() == 1) return std::string(lines.front());
  std::string together;
  for (std::string_view const l : lines) together.append(together.empty() ? "(" : "+").append(l.substr(0, l.size() - 1));
  return together + ")/";
}

lineage lineage::branch(std::string_view name, std::uint64_t own) const {
  lineage b;
  b.add(own, std::string(name));
  for (place const& p : places_) b.add(p.family, line(p.family).append(name));
  return b;
}

}  // namespace weir::detail
