#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/keyed_slots.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// What a join keeps: per key the elements of both sides, and at which watermark something happens to them. Rows are in the order in which
// their keys came; one that is forgotten and comes again is the last.
template <class K, class L, class R> class join_rows {
public:
  struct row {
    explicit row(K k) : key(std::move(k)) {}
    bool empty() const noexcept { return left.empty() && right.empty(); }
    K key;
    std::uint64_t order = 0;
    instant due = end_of_time;
    time_buffer<L> left;
    time_buffer<R> right;
    std::size_t counted = 0;  // bytes of the two
  };

  // The number of a key's row, which is made when there is none.
  template <class Q> std::uint32_t at(Q const& key) {
    std::uint32_t slot = rows_.find(key);
    if (slot == no_slot) {
      slot = rows_.add(key);
      rows_[slot].order = next_++;
    }
    return slot;
  }
  row& operator[](std::uint32_t slot) noexcept { return rows_[slot]; }
  std::size_t size() const noexcept { return rows_.size(); }

  // It is due at `time`, or earlier if that was said before.
  void due_by(std::uint32_t slot, instant time) {
    row& r = rows_[slot];
    if (time < r.due) due_at(slot, time);
    else count(r, r.left.memory() + r.right.memory());
  }
  void due_at(std::uint32_t slot, instant time) {
    row& r = rows_[slot];
    count(r, r.left.memory() + r.right.memory());
    r.due = time;
    due_.set(slot, r.order, time);
  }
  void forget(std::uint32_t slot) {
    due_.remove(slot);
    count(rows_[slot], 0);
    rows_.remove(slot);
  }
  // For all that are due up to `watermark`, by time and then by row: `f(slot, time)`, which says when it is due again, or forgets it.
  template <class F> void reach(instant watermark, F f) {
    while (due_.due(watermark)) f(due_.first(), due_.first_at());
  }

  void save(std::vector<std::byte>& to) const {
    std::vector<row const*> all;
    all.reserve(rows_.size());
    rows_.each([&all](row const& r) { all.push_back(&r); });
    std::sort(all.begin(), all.end(), [](row const* a, row const* b) { return a->order < b->order; });
    encode_state(std::uint64_t{all.size()}, to);
    for (row const* r : all) {
      encode_state(r->key, to);
      r->left.save(to);
      r->right.save(to);
    }
  }
  // Calls `each(slot)` for every row, in order, which says when it is due. Returns how many elements there are.
  template <class F> std::uint64_t restore(std::string_view who, std::span<std::byte const>& from, F each) {
    rows_.clear();
    due_.clear();
    buffers_ = 0;
    std::uint64_t elements = 0;
    for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) {
      K const key = decode_part<K>(from);
      if (rows_.find(key) != no_slot) throw_damaged_state(who, "it has a key twice");
      std::uint32_t const slot = at(key);
      row& r = rows_[slot];
      r.left.restore(who, from);
      r.right.restore(who, from);
      if (r.empty()) throw_damaged_state(who, "it has a key without elements");
      elements += r.left.size() + r.right.size();
      each(slot);
    }
    return elements;
  }

  // In bytes.
  std::size_t memory() const noexcept { return rows_.memory() + due_.memory() + buffers_; }

private:
  void count(row& r, std::size_t bytes) noexcept { buffers_ += bytes - std::exchange(r.counted, bytes); }

  keyed_slots<K, row> rows_;
  due_heap due_;
  std::size_t buffers_ = 0;  // bytes
  std::uint64_t next_ = 0;
};

}  // namespace weir::detail
