#pragma once
#include <weir/chunk.hpp>

#include <cstddef>
#include <cstdint>
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
    std::size_t const from = done_, first_mark = next_;
    done_ += n;
    while (next_ != whole_.marks.size() && whole_.marks[next_].at <= done_) ++next_;
    auto const elements = whole_.elements.subspan(from, n);
    auto const* const times = whole_.times ? whole_.times + from : nullptr;
    auto const marks = whole_.marks.subspan(first_mark, next_ - first_mark);
    if (from == 0 || marks.empty()) return chunk<T>(elements, times, marks);
    moved_.assign(marks.begin(), marks.end());
    for (mark& m : moved_) m.at -= static_cast<std::uint32_t>(from);
    return chunk<T>(elements, times, moved_);
  }

private:
  chunk<T> whole_;
  std::size_t done_ = 0, next_ = 0;
  std::vector<mark> moved_;
};

}  // namespace weir::detail
