#pragma once
#include <weir/guarantee.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_write.hpp>

#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// A sink for tests: what has been committed, in order. A copy is the same table.
/// ```cpp
/// auto store = std::make_shared<memory_state_store>();
/// memory_table<int> results(store);
/// ```
/// Guarantee: exactly once, by the store's commits.   Thread-safety: none beyond that of the strands which commit: read it between runs.
template <class T> class memory_table {
public:
  using row_type = T;
  static constexpr std::string_view kind = "memory";
  static constexpr guarantee promises = guarantee::transactional;
  explicit memory_table(std::shared_ptr<memory_state_store> of) : store_(std::move(of)), rows_(std::make_shared<std::vector<T>>()) {}

  std::vector<T> const& rows() const noexcept { return *rows_; }

  memory_state_store const& store() const noexcept { return *store_; }
  /// Rows that become visible with a commit.
  std::shared_ptr<store_write> write(std::vector<T> rows) const { return std::make_shared<rows_write>(*store_, std::move(rows), rows_); }

private:
  class rows_write final : public memory_write {
  public:
    rows_write(memory_state_store const& by, std::vector<T> rows, std::shared_ptr<std::vector<T>> to)
        : memory_write(by), rows_(std::move(rows)), to_(std::move(to)) {}
    void apply() noexcept override { std::move(rows_.begin(), rows_.end(), std::back_inserter(*to_)); }

  private:
    std::vector<T> rows_;
    std::shared_ptr<std::vector<T>> to_;
  };

  std::shared_ptr<memory_state_store> store_;
  std::shared_ptr<std::vector<T>> rows_;
};

}  // namespace weir
