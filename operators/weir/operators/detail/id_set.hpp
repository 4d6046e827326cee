#pragma once
#include <weir/detail/owned_bytes.hpp>
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
      if (ids_.contains(text)) return false;  // no string is made for one that is there
      id_bytes_ += owned_bytes(*ids_.emplace(text).first);
      return true;
    } else {
      auto const [at, fresh] = ids_.insert(id);
      if (fresh) id_bytes_ += owned_bytes(*at);
      return fresh;
    }
  }
  // In bytes: Boost's table has a byte per place besides, and one more per 15.
  std::size_t memory() const noexcept { return ids_.bucket_count() * sizeof(Id) + ids_.bucket_count() * 16 / 15 + id_bytes_; }
  std::size_t size() const noexcept { return ids_.size(); }
  template <class F> void for_each(F f) const {
    for (Id const& id : ids_) f(id);
  }

private:
  boost::unordered_flat_set<Id, key_hash<Id>, std::equal_to<>> ids_;
  std::size_t id_bytes_ = 0;  // that they have elsewhere
};

template <std::integral Id> class id_set<Id> {
public:
  static constexpr bool can_fetch = true;
  bool contains(Id id) const noexcept { return numbers_.contains(static_cast<std::uint64_t>(id)); }
  bool insert(Id id) { return numbers_.insert(static_cast<std::uint64_t>(id)); }
  [[gnu::always_inline]] void fetch(Id id) const noexcept { numbers_.fetch(static_cast<std::uint64_t>(id)); }
  std::size_t size() const noexcept { return numbers_.size(); }
  std::size_t memory() const noexcept { return numbers_.memory(); }
  template <class F> void for_each(F f) const {
    numbers_.for_each([&f](std::uint64_t n) { f(static_cast<Id>(n)); });
  }

private:
  number_set numbers_;
};

}  // namespace weir::detail
