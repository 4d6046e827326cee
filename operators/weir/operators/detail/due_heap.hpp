#pragma once
#include <weir/instant.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::detail {

// When a place of a vector is due next: at most one entry per place, first by time, then by `order`. A binary heap that knows where
// each place's entry is, so that moving one costs O(log n) and nothing stale is ever in it.
class due_heap {
public:
  bool due(instant now) const noexcept { return !heap_.empty() && heap_.front().at <= now; }
  bool empty() const noexcept { return heap_.empty(); }
  std::uint32_t first() const noexcept { return heap_.front().place; }
  instant first_at() const noexcept { return heap_.front().at; }

  bool has(std::uint32_t place) const noexcept { return place < where_.size() && where_[place] != nowhere; }
  instant at(std::uint32_t place) const noexcept { return heap_[where_[place]].at; }

  // Enters it, or moves what is there.
  void set(std::uint32_t place, std::uint64_t order, instant at);
  void remove(std::uint32_t place) noexcept;
  // What was at the place `from` is at `to` < `from`, which has no entry.
  void move(std::uint32_t from, std::uint32_t to) noexcept;
  void clear() noexcept;
  // In bytes.
  std::size_t memory() const noexcept { return heap_.capacity() * sizeof(entry) + where_.capacity() * sizeof(std::uint32_t); }

private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  struct entry {
    instant at;
    std::uint64_t order;
    std::uint32_t place;
    bool before(entry const& o) const noexcept { return at != o.at ? at < o.at : order < o.order; }
  };
  void put(entry const& e, std::size_t i) noexcept {
    heap_[i] = e;
    where_[e.place] = static_cast<std::uint32_t>(i);
  }
  void up(entry e, std::size_t i) noexcept;
  void down(entry e, std::size_t i) noexcept;

  std::vector<entry> heap_;
  std::vector<std::uint32_t> where_;  // by place
};

}  // namespace weir::detail
