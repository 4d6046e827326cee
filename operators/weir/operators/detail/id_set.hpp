#pragma once
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/number_set.hpp>

#include <boost/unordered/unordered_flat_set.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace weir::detail {

// Ids, from which none is ever taken out.
template <class Id> class id_set {
public:
  static constexpr bool can_fetch = false;
  template <class Q> bool contains(Q const& id) const { return ids_.contains(as_looked_up(id)); }
  // True: it was not there.
  template <class Q> bool insert(Q const& id) {
    if constexpr (is_text<Q>) {
      std::string_view const text(id);
      return !ids_.contains(text) && ids_.emplace(text).second;  // no string is made for one that is there
    } else {
      return ids_.insert(id).second;
    }
  }
  std::size_t size() const noexcept { return ids_.size(); }
  template <class F> void for_each(F f) const {
    for (Id const& id : ids_) f(id);
  }

private:
  boost::unordered_flat_set<Id, key_hash<Id>, std::equal_to<>> ids_;
};

template <std::integral Id> class id_set<Id> {
public:
  static constexpr bool can_fetch = true;
  bool contains(Id id) const noexcept { return numbers_.contains(static_cast<std::uint64_t>(id)); }
  bool insert(Id id) { return numbers_.insert(static_cast<std::uint64_t>(id)); }
  [[gnu::always_inline]] void fetch(Id id) const noexcept { numbers_.fetch(static_cast<std::uint64_t>(id)); }
  std::size_t size() const noexcept { return numbers_.size(); }
  template <class F> void for_each(F f) const {
    numbers_.for_each([&f](std::uint64_t n) { f(static_cast<Id>(n)); });
  }

private:
  number_set numbers_;
};

}  // namespace weir::detail
