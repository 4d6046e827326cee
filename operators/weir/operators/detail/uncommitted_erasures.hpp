#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/read_through.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace weir::detail {

// Names of entries that are gone, and which the store may still have, as the commit that takes them has not returned.
class uncommitted_erasures {
public:
  void add(std::string const& name) { set(name, not_passed); }
  // The barrier that is passing takes it.
  void passes(std::string name, std::uint64_t barrier) {
    set(name, barrier);
    name_bytes_ += owned_bytes(name);
    passed_.emplace_back(barrier, std::move(name));
  }
  // Forgets those that the store has not any more.
  void forget_committed(read_through const& stored) {
    for (; !passed_.empty() && stored.committed(passed_.front().first); passed_.pop_front()) {
      name_bytes_ -= owned_bytes(passed_.front().second);
      auto const at = barriers_.find(passed_.front().second);
      if (at == barriers_.end() || at->second != passed_.front().first) continue;
      name_bytes_ -= owned_bytes(at->first);
      barriers_.erase(at);
    }
  }
  bool has(std::string const& name) const { return barriers_.contains(name); }
  void clear() noexcept {
    barriers_.clear();
    passed_.clear();
    name_bytes_ = 0;
  }
  // In bytes.
  std::size_t memory() const noexcept {
    return barriers_.bucket_count() * sizeof(std::pair<std::string, std::uint64_t>) + passed_.size() * sizeof(passed_.front()) +
           name_bytes_;
  }

private:
  void set(std::string const& name, std::uint64_t barrier) {
    auto const [at, fresh] = barriers_.insert_or_assign(name, barrier);
    if (fresh) name_bytes_ += owned_bytes(at->first);
  }
  static constexpr std::uint64_t not_passed = ~std::uint64_t{0};
  boost::unordered_flat_map<std::string, std::uint64_t> barriers_;  // by name: the last that takes it
  std::deque<std::pair<std::uint64_t, std::string>> passed_;
  std::size_t name_bytes_ = 0;  // that names have elsewhere
};

}  // namespace weir::detail
