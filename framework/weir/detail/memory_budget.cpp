#include <weir/detail/memory_budget.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace weir::detail {

bool memory_budget::exceeded_with(std::size_t waiting) noexcept {
  if (!limit_) return false;
  bool const none_left = waiting >= *limit_;
  account_.limit(none_left ? 0 : static_cast<std::size_t>(*limit_ - waiting));
  return waiting > *limit_ || account_.full();
}

void memory_budget::check_state(checkpoint_key const& of) const {
  if (!state_too_large()) return;
  std::size_t const state = account_.held(memory_account::holding::state);
  std::string largest;
  std::size_t named = 0;
  for (auto const& [name, bytes] : operators()) {
    if (named == 3 || (named != 0 && bytes < state / 10)) break;
    largest += (named == 0 ? "" : ", ") + std::string("\"") + name + "\" " + std::to_string(bytes);
    ++named;
  }
  throw error(errc::over_budget, "memory: the state of operators does not fit",
              "it takes " + std::to_string(state) + " bytes (" + largest + "), and the budget of a partition is " +
                  std::to_string(*limit_) + " bytes",
              "keep less (shorter windows, horizons and sessions, keys that expire), keep it in RocksDB, or give the pipeline a larger "
              "memory_budget; what is done is in the checkpoint, and a restart goes on from there")
      .with_stream(of.stream)
      .with_partition(of.partition)
      .with_detail("pipeline " + of.pipeline);
}

std::vector<std::pair<std::string, std::size_t>> memory_budget::operators() const {
  std::map<std::string, std::size_t, std::less<>> by_name;
  account_.each([&by_name](std::string_view name, std::size_t bytes) { by_name[std::string(name)] += bytes; });
  std::vector<std::pair<std::string, std::size_t>> all(by_name.begin(), by_name.end());
  std::ranges::sort(all, [](auto const& a, auto const& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
  return all;
}

}  // namespace weir::detail
