#pragma once
#include <weir/codec.hpp>
#include <weir/operators/detail/key.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// The total weight of each distinct value. `Total` is one of total.hpp.
template <class V, class Total> class weights {
public:
  // No value is made for one that is there.
  template <class X> Total& operator[](X const& value) {
    if constexpr (std::is_same_v<V, std::string>) {
      std::string_view const text(value);
      if (auto const it = totals_.find(text); it != totals_.end()) [[likely]]
        return it->second;
      return totals_.try_emplace(V(text)).first->second;
    } else {
      return totals_.try_emplace(value).first->second;
    }
  }
  void merge(weights const& other) {
    // Hashed alike, the others come in the order of their places: without room for all they would crowd together.
    if (size() + other.size() > totals_.max_load()) totals_.reserve(size() + other.size());
    for (auto const& [value, total] : other) totals_.try_emplace(value).first->second.merge(total);
  }
  std::size_t size() const noexcept { return totals_.size(); }
  auto begin() const noexcept { return totals_.begin(); }
  auto end() const noexcept { return totals_.end(); }

private:
  boost::unordered_flat_map<V, Total, key_hash<V>, std::equal_to<>> totals_;
};

}  // namespace detail

// In the order of the values, so that equal weights have equal bytes.
template <class V, class Total> struct codec<detail::weights<V, Total>> {
  using state = detail::weights<V, Total>;
  static void encode(state const& s, std::vector<std::byte>& to)
    requires(encodable<V> && encodable<Total>)
  {
    std::vector<std::pair<V const, Total> const*> sorted;
    sorted.reserve(s.size());
    for (auto const& entry : s) sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(), [](auto const* a, auto const* b) { return a->first < b->first; });
    detail::put_size(to, sorted.size());
    for (auto const* entry : sorted) {
      encode_state(entry->first, to);
      encode_state(entry->second, to);
    }
  }
  static state decode(std::span<std::byte const>& from)
    requires(encodable<V> && encodable<Total>)
  {
    state s;
    for (std::size_t n = detail::take_size(from, 1); n != 0; --n) {
      V const value = decode_part<V>(from);
      s[value] = decode_part<Total>(from);
    }
    return s;
  }
};

}  // namespace weir
