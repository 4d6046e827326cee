#pragma once
#include <weir/read_through.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace weir::detail {

// Names of entries that are gone, and which the store may still have, as the commit that takes them has not returned.
class uncommitted_erasures {
public:
  void add(std::string const& name) { barriers_.insert_or_assign(name, not_passed); }
  // The barrier that is passing takes it.
  void passes(std::string name, std::uint64_t barrier) {
    barriers_.insert_or_assign(name, barrier);
    passed_.emplace_back(barrier, std::move(name));
  }
  // Forgets those that the store has not any more.
  void forget_committed(read_through const& stored) {
    for (; !passed_.empty() && stored.committed(passed_.front().first); passed_.pop_front())
      if (auto const at = barriers_.find(passed_.front().second); at != barriers_.end() && at->second == passed_.front().first)
        barriers_.erase(at);
  }
  bool has(std::string const& name) const { return barriers_.contains(name); }
  void clear() noexcept {
    barriers_.clear();
    passed_.clear();
  }

private:
  static constexpr std::uint64_t not_passed = ~std::uint64_t{0};
  boost::unordered_flat_map<std::string, std::uint64_t> barriers_;  // by name: the last that takes it
  std::deque<std::pair<std::uint64_t, std::string>> passed_;
};

}  // namespace weir::detail
