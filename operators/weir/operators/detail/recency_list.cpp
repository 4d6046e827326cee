#include <weir/operators/detail/recency_list.hpp>

#include <cstddef>

namespace weir::detail {

void recency_list::note(std::uint32_t place, std::uint64_t stamp) {
  remove(place);
  if (place >= nodes_.size()) nodes_.resize(std::size_t{place} + 1 + place / 2);
  node& n = nodes_[place];
  n.before = last_;
  n.behind = none;
  n.stamp = stamp;
  n.here = true;
  link(place);
}

void recency_list::remove(std::uint32_t place) noexcept {
  if (!has(place)) return;
  node& n = nodes_[place];
  (n.before == none ? first_ : nodes_[n.before].behind) = n.behind;
  (n.behind == none ? last_ : nodes_[n.behind].before) = n.before;
  n.here = false;
}

void recency_list::move(std::uint32_t from, std::uint32_t to) {
  if (!has(from)) return;
  if (to >= nodes_.size()) nodes_.resize(std::size_t{to} + 1);
  nodes_[to] = nodes_[from];
  nodes_[from].here = false;
  link(to);
}

void recency_list::clear() noexcept {
  nodes_.clear();
  first_ = last_ = none;
}

// Its neighbours are to know where it is.
void recency_list::link(std::uint32_t place) noexcept {
  node const& n = nodes_[place];
  (n.before == none ? first_ : nodes_[n.before].behind) = place;
  (n.behind == none ? last_ : nodes_[n.behind].before) = place;
}

}  // namespace weir::detail
