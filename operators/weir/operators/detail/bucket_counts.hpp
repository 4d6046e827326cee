#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::detail {

// How many elements are in each of a range of buckets. From the highest that is not empty down, `max_span` buckets are told apart; what
// lies lower is counted in the lowest of these. The counts do not depend on the order of adding and merging: where a smaller highest bucket
// has put an element, a larger one takes it on to the same place. `max_span` never changes, and is that of all that is merged.
//
// A list while few buckets of their range are in use (16 bytes for each of these), an array afterwards (8 bytes for each of the range).
class bucket_counts {
public:
  static constexpr std::int64_t max_index = 1 << 23;  // either way: no sketch has buckets beyond

  void add(std::int32_t index, std::uint64_t n, std::size_t max_span);
  void merge(bucket_counts const& other, std::size_t max_span);

  std::uint64_t total() const noexcept { return total_; }
  // Of these: those which were lower than the lowest bucket told apart.
  std::uint64_t collapsed() const noexcept { return collapsed_; }
  // The bucket of the element with so many before it, from the lowest bucket up. `rank` < total().
  std::int32_t at(std::uint64_t rank) const noexcept;
  std::size_t heap_bytes() const noexcept { return few_.capacity() * sizeof(bucket) + many_.capacity() * sizeof(std::uint64_t); }

  // The same bytes for the same counts, however they came about.
  void encode(std::vector<std::byte>& to) const;
  static bucket_counts decode(std::span<std::byte const>& from, std::size_t max_span);

private:
  struct bucket {
    std::int32_t index;
    std::uint64_t count;
  };
  // Calls f(index, count) for each bucket that is not empty, from the lowest up, until it returns false.
  template <class F> void each(F f) const;
  void count(std::int32_t index, std::uint64_t n);
  void count_in_array(std::int32_t index, std::uint64_t n);
  void collapse_below(std::int64_t lowest);
  std::uint64_t remove_below(std::int64_t lowest);
  void use_array_if_dense();

  std::vector<bucket> few_;          // by index; empty when there is an array
  std::vector<std::uint64_t> many_;  // whole blocks of buckets
  std::int32_t first_ = 0;           // the bucket of many_[0]
  std::int32_t highest_ = 0;         // not empty, when anything is
  std::uint64_t total_ = 0;
  std::uint64_t collapsed_ = 0;
};

}  // namespace weir::detail
