#pragma once
#include <cstdint>
#include <vector>

namespace weir::detail {

// Places of a vector in the order in which they were last noted, each with a number that grows from one to the next.
class recency_list {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // It is the last now. `stamp` is not less than those before.
  void note(std::uint32_t place, std::uint64_t stamp);
  // `none`: there is nothing.
  std::uint32_t oldest() const noexcept { return first_; }
  std::uint64_t stamp(std::uint32_t place) const noexcept { return nodes_[place].stamp; }
  // Nothing where it is not there.
  void remove(std::uint32_t place) noexcept;
  // What was at the place `from` is at `to`, which has no entry.
  void move(std::uint32_t from, std::uint32_t to);
  void clear() noexcept;
  // In bytes.
  std::size_t memory() const noexcept { return nodes_.capacity() * sizeof(node); }

private:
  struct node {
    std::uint32_t before = none, behind = none;
    std::uint64_t stamp = 0;
    bool here = false;
  };
  bool has(std::uint32_t place) const noexcept { return place < nodes_.size() && nodes_[place].here; }
  void link(std::uint32_t place) noexcept;

  std::vector<node> nodes_;  // by place
  std::uint32_t first_ = none, last_ = none;
};

}  // namespace weir::detail
