#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::detail {

// Marks on some rows of a table, by place: a bit each, so that marking costs next to nothing where it was done before.
class row_marks {
public:
  [[gnu::always_inline]] void set(std::size_t place) {
    std::size_t const word = place / 64;
    if (word >= words_.size()) [[unlikely]]
      grow(word);
    words_[word] |= bit(place);
  }
  bool has(std::size_t place) const noexcept { return place / 64 < words_.size() && (words_[place / 64] & bit(place)) != 0; }
  void unset(std::size_t place) noexcept {
    if (place / 64 < words_.size()) words_[place / 64] &= ~bit(place);
  }
  // The row is in another place now.
  void move(std::size_t from, std::size_t to) {
    if (has(from)) set(to);
    else unset(to);
    unset(from);
  }
  void clear() noexcept { words_.clear(); }
  // In bytes.
  std::size_t memory() const noexcept { return words_.capacity() * sizeof(std::uint64_t); }
  // f(place) for each that is marked, in order; none is any more.
  template <class F> void take_each(F f) {
    for (std::size_t w = 0; w != words_.size(); ++w) {
      for (; words_[w] != 0; words_[w] &= words_[w] - 1) f(w * 64 + static_cast<std::size_t>(std::countr_zero(words_[w])));
    }
  }

private:
  static constexpr std::uint64_t bit(std::size_t place) noexcept { return std::uint64_t{1} << (place % 64); }
  [[gnu::noinline]] void grow(std::size_t word) { words_.resize(word + 1 + word / 2); }

  std::vector<std::uint64_t> words_;
};

}  // namespace weir::detail
