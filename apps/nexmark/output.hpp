#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nexmark {

/// Where a query's rows go: counted and added up, so that none is computed for nothing, and kept where that was asked for. All fields are
/// whole numbers; times are nanoseconds since the epoch.
class output {
public:
  using row = std::vector<std::int64_t>;
  output() = default;
  /// Keeps rows in `kept` too, in order.
  explicit output(std::vector<row>& kept) noexcept : kept_(&kept) {}

  template <class... Field> void add(Field... fields) {
    ++rows_;
    std::uint64_t place = 0;
    ((sum_ += static_cast<std::uint64_t>(fields) * ++place), ...);
    if (kept_) kept_->push_back({static_cast<std::int64_t>(fields)...});
  }
  std::uint64_t rows() const noexcept { return rows_; }
  /// Of the fields, each times its place from 1, modulo 2^64; the order of rows plays no part.
  std::uint64_t sum() const noexcept { return sum_; }

private:
  std::uint64_t rows_ = 0, sum_ = 0;
  std::vector<row>* kept_ = nullptr;
};

}  // namespace nexmark
