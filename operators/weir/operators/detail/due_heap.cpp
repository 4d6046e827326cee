#include <weir/operators/detail/due_heap.hpp>

namespace weir::detail {

void due_heap::set(std::uint32_t place, std::uint64_t order, instant at) {
  if (place >= where_.size()) where_.resize(std::size_t{place} + 1, nowhere);
  entry const e{at, order, place};
  if (where_[place] == nowhere) {
    heap_.push_back(e);
    up(e, heap_.size() - 1);
  } else if (std::size_t const i = where_[place]; at < heap_[i].at) {
    up(e, i);
  } else {
    down(e, i);
  }
}

void due_heap::remove(std::uint32_t place) noexcept {
  if (!has(place)) return;
  std::size_t const i = where_[place];
  where_[place] = nowhere;
  entry const last = heap_.back();
  heap_.pop_back();
  if (i == heap_.size()) return;
  if (last.before(heap_[i])) up(last, i);
  else down(last, i);
}

void due_heap::move(std::uint32_t from, std::uint32_t to) noexcept {
  if (!has(from)) return;
  std::size_t const i = where_[from];
  where_[from] = nowhere;
  heap_[i].place = to;
  where_[to] = static_cast<std::uint32_t>(i);
}

void due_heap::clear() noexcept {
  heap_.clear();
  where_.clear();
}

void due_heap::up(entry e, std::size_t i) noexcept {
  while (i != 0) {
    std::size_t const parent = (i - 1) / 2;
    if (!e.before(heap_[parent])) break;
    put(heap_[parent], i);
    i = parent;
  }
  put(e, i);
}

void due_heap::down(entry e, std::size_t i) noexcept {
  for (std::size_t child = 2 * i + 1; child < heap_.size(); child = 2 * i + 1) {
    if (child + 1 < heap_.size() && heap_[child + 1].before(heap_[child])) ++child;
    if (!heap_[child].before(e)) break;
    put(heap_[child], i);
    i = child;
  }
  put(e, i);
}

}  // namespace weir::detail
