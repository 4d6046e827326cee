#pragma once
#include <weir/detail/memory_account.hpp>
#include <weir/state_store.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

// How much memory one partition may take, and how much it does: the state of its operators, and beside it what waits to be committed or
// delivered.
class memory_budget {
public:
  // `limit`: bytes; null: as much as it takes.
  explicit memory_budget(std::optional<std::uint64_t> limit) noexcept : limit_(limit) {}

  memory_account& account() noexcept { return account_; }
  bool limited() const noexcept { return limit_.has_value(); }
  // What waits, and is not among what operators say. Whether all together is more than the budget.
  bool exceeded_with(std::size_t waiting) noexcept;
  bool state_too_large() const noexcept { return limit_ && account_.held(memory_account::holding::state) > *limit_; }
  // Throws errc::over_budget when the state of operators alone is more than that.
  void check_state(checkpoint_key const& of) const;
  // What each operator holds, by name, the largest first.
  std::vector<std::pair<std::string, std::size_t>> operators() const;

private:
  std::optional<std::uint64_t> limit_;
  memory_account account_;
};

}  // namespace weir::detail
