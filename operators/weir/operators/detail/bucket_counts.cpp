#include <weir/operators/detail/bucket_counts.hpp>

#include <weir/operators/detail/sketch_bytes.hpp>

#include <algorithm>
#include <utility>

namespace weir::detail {
namespace {

// The array grows by blocks, so that a range that spreads slowly is not moved for each bucket.
constexpr std::int32_t block = 64;
constexpr std::int32_t block_of(std::int32_t index) { return index & ~(block - 1); }

// An array costs at most four times the list it takes the place of.
constexpr std::size_t few_enough_for_a_list = 16;
constexpr std::int64_t span_per_bucket = 8;

}  // namespace

template <class F> void bucket_counts::each(F f) const {
  for (bucket const& b : few_)
    if (!f(b.index, b.count)) return;
  for (std::size_t i = 0; i != many_.size(); ++i)
    if (many_[i] != 0 && !f(first_ + static_cast<std::int32_t>(i), many_[i])) return;
}

void bucket_counts::add(std::int32_t index, std::uint64_t n, std::size_t max_span) {
  std::int64_t const below = static_cast<std::int64_t>(max_span) - 1;
  if (total_ == 0) {
    highest_ = index;
  } else if (index > highest_) {
    highest_ = index;
    collapse_below(highest_ - below);
  } else if (index < highest_ - below) {
    index = static_cast<std::int32_t>(highest_ - below);
    collapsed_ += n;
  }
  count(index, n);
  total_ += n;
}

void bucket_counts::merge(bucket_counts const& other, std::size_t max_span) {
  if (other.total_ == 0) return;
  std::int64_t const highest = total_ == 0 ? other.highest_ : std::max(highest_, other.highest_);
  std::int64_t const lowest = highest - (static_cast<std::int64_t>(max_span) - 1);
  highest_ = static_cast<std::int32_t>(highest);
  collapse_below(lowest);
  // What the other one has collapsed is in its lowest bucket: it is among those below, or still where it belongs.
  std::uint64_t below = 0;
  other.each([&](std::int32_t index, std::uint64_t n) {
    if (index < lowest) below += n;
    else count(index, n);
    return true;
  });
  if (below != 0) count(static_cast<std::int32_t>(lowest), below);
  collapsed_ += below != 0 ? below : other.collapsed_;
  total_ += other.total_;
}

std::int32_t bucket_counts::at(std::uint64_t rank) const noexcept {
  std::int32_t found = highest_;
  each([&](std::int32_t index, std::uint64_t n) {
    found = index;
    if (rank < n) return false;
    rank -= n;
    return true;
  });
  return found;
}

void bucket_counts::count(std::int32_t index, std::uint64_t n) {
  if (!many_.empty()) [[likely]]
    return count_in_array(index, n);
  auto const at = std::ranges::lower_bound(few_, index, {}, &bucket::index);
  if (at != few_.end() && at->index == index) {
    at->count += n;
  } else {
    few_.insert(at, bucket{index, n});
    use_array_if_dense();
  }
}

void bucket_counts::count_in_array(std::int32_t index, std::uint64_t n) {
  auto const size = static_cast<std::int32_t>(many_.size());
  if (index < first_) {
    std::int32_t const first = block_of(index);
    many_.insert(many_.begin(), static_cast<std::size_t>(first_ - first), 0);
    first_ = first;
  } else if (index >= first_ + size) {
    many_.resize(static_cast<std::size_t>(block_of(index) + block - first_));
  }
  many_[static_cast<std::size_t>(index - first_)] += n;
}

// All elements that were collapsed before are in buckets below the new lowest one, or none is.
void bucket_counts::collapse_below(std::int64_t lowest) {
  std::uint64_t const n = remove_below(lowest);
  if (n == 0) return;
  collapsed_ = n;
  count(static_cast<std::int32_t>(lowest), n);
}

std::uint64_t bucket_counts::remove_below(std::int64_t lowest) {
  std::uint64_t n = 0;
  if (many_.empty()) {
    auto const end = std::ranges::lower_bound(few_, lowest, {}, &bucket::index);
    for (auto it = few_.begin(); it != end; ++it) n += it->count;
    few_.erase(few_.begin(), end);
  } else if (lowest > first_) {
    auto const size = static_cast<std::int64_t>(many_.size());
    auto const end = many_.begin() + std::min(lowest - first_, size);
    for (auto it = many_.begin(); it != end; ++it) n += std::exchange(*it, 0);
    auto const blocks = std::min((lowest - first_) / block * block, size);
    many_.erase(many_.begin(), many_.begin() + blocks);  // with nothing left it is a list again
    first_ = static_cast<std::int32_t>(first_ + blocks);
  }
  return n;
}

void bucket_counts::use_array_if_dense() {
  if (few_.size() < few_enough_for_a_list) return;
  std::int64_t const span = std::int64_t(few_.back().index) - few_.front().index + 1;
  if (span > span_per_bucket * static_cast<std::int64_t>(few_.size())) return;
  first_ = block_of(few_.front().index);
  many_.resize(static_cast<std::size_t>(block_of(few_.back().index) + block - first_));
  for (bucket const& b : std::exchange(few_, {})) many_[static_cast<std::size_t>(b.index - first_)] = b.count;
}

// The number of buckets that are not empty, for each its distance from the one before and its count, and the number collapsed.
void bucket_counts::encode(std::vector<std::byte>& to) const {
  std::uint64_t buckets = 0;
  each([&](std::int32_t, std::uint64_t) {
    ++buckets;
    return true;
  });
  put_varint(to, buckets);
  if (buckets == 0) return;
  std::int64_t last = 0;
  each([&](std::int32_t index, std::uint64_t n) {
    put_varint(to, zigzag(index - last));
    put_varint(to, n);
    last = index;
    return true;
  });
  put_varint(to, collapsed_);
}

bucket_counts bucket_counts::decode(std::span<std::byte const>& from, std::size_t max_span) {
  bucket_counts out;
  std::uint64_t const buckets = take_varint(from);
  if (buckets > from.size() / 2) throw_corrupt_sketch("a length in it is beyond its end");
  if (buckets == 0) return out;
  out.few_.reserve(static_cast<std::size_t>(buckets));
  std::int64_t last = 0;
  for (std::uint64_t i = 0; i != buckets; ++i) {
    std::int64_t const distance = unzigzag(take_varint(from));
    std::uint64_t const n = take_varint(from);
    bool const fits = distance >= -max_index && distance <= 2 * max_index && last + distance <= max_index;
    if (!fits || (i != 0 && distance <= 0)) throw_corrupt_sketch("its buckets are out of order");
    if (n == 0 || __builtin_add_overflow(out.total_, n, &out.total_)) throw_corrupt_sketch("the count of a bucket cannot be");
    last += distance;
    out.few_.push_back(bucket{static_cast<std::int32_t>(last), n});
  }
  out.highest_ = out.few_.back().index;
  if (out.highest_ - out.few_.front().index >= static_cast<std::int64_t>(max_span)) throw_corrupt_sketch("its buckets are too many");
  out.collapsed_ = take_varint(from);
  if (out.collapsed_ > out.few_.front().count) throw_corrupt_sketch("more is collapsed than its lowest bucket has");
  out.use_array_if_dense();
  return out;
}

}  // namespace weir::detail
