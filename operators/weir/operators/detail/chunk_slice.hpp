#pragma once
#include <weir/chunk.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::detail {

// A chunk, handed on in pieces from front to back. A mark goes with the piece that ends where it lies.
template <class T> class chunk_slices {
public:
  explicit chunk_slices(chunk<T> const& c) noexcept : whole_(c) {}
  std::size_t left() const noexcept { return whole_.elements.size() - done_; }
  T& front() const noexcept { return whole_.elements[done_]; }
  // Marks lie before the next element.
  bool marks_here() const noexcept { return next_ != whole_.marks.size() && whole_.marks[next_].at == done_; }
  bool over() const noexcept { return left() == 0 && next_ == whole_.marks.size(); }

  // The next `n` elements, and the marks up to the element behind them. Good until the next call.
  chunk<T> take(std::size_t n) {
    std::size_t behind = next_;
    while (behind != whole_.marks.size() && whole_.marks[behind].at <= done_ + n) ++behind;
    return take(n, behind);
  }
  // All up to the first mark that is `last`, and that; without one, what is left.
  template <class F> chunk<T> take_through(F last) {
    for (std::size_t i = next_; i != whole_.marks.size(); ++i)
      if (last(whole_.marks[i])) return take(whole_.marks[i].at - done_, i + 1);
    return take(left());
  }

private:
  chunk<T> take(std::size_t n, std::size_t behind) {
    std::size_t const from = std::exchange(done_, done_ + n), first_mark = std::exchange(next_, behind);
    auto const elements = whole_.elements.subspan(from, n);
    auto const* const times = whole_.times ? whole_.times + from : nullptr;
    auto const marks = whole_.marks.subspan(first_mark, next_ - first_mark);
    if (from == 0 || marks.empty()) return chunk<T>(elements, times, marks);
    moved_.assign(marks.begin(), marks.end());
    for (mark& m : moved_) m.at -= static_cast<std::uint32_t>(from);
    return chunk<T>(elements, times, moved_);
  }

  chunk<T> whole_;
  std::size_t done_ = 0, next_ = 0;
  std::vector<mark> moved_;
};

}  // namespace weir::detail
