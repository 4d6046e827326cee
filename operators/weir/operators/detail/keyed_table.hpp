#pragma once
#include <weir/operators/detail/key.hpp>
#include <weir/operators/time_window.hpp>

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// Throws `errc::too_large`: rows are numbered in 4 bytes.
[[noreturn]] void throw_too_many_keys();

// Rows by key, iterated in first-seen order, so that output depends neither on hashing nor on restarts. The index has 4 bytes
// per key and looks the key up in its row, which is wanted next anyway. clear() keeps the memory. `Row` is made from its key and has a
// member `key`.
template <class K, class Row> class keyed_table {
  struct hash {
    using is_transparent = void;
    std::vector<Row> const* rows;
    std::size_t operator()(std::uint32_t i) const { return key_hash<K>{}((*rows)[i].key); }
    template <class Q> std::size_t operator()(Q const& key) const { return key_hash<K>{}(key.value); }
  };
  struct equal {
    using is_transparent = void;
    std::vector<Row> const* rows;
    bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return a == b; }
    template <class Q> bool operator()(Q const& key, std::uint32_t i) const { return (*rows)[i].key == key.value; }
    template <class Q> bool operator()(std::uint32_t i, Q const& key) const { return (*rows)[i].key == key.value; }
  };
  template <class Q> struct query {  // not to be taken for a row's number
    Q const& value;
  };

public:
  keyed_table() : index_(0, hash{&rows_}, equal{&rows_}) {}
  keyed_table(keyed_table const&) = delete;
  keyed_table& operator=(keyed_table const&) = delete;

  template <class Q> Row& operator[](Q const& key) {
    if constexpr (std::is_same_v<K, no_key>) {
      if (rows_.empty()) [[unlikely]]
        rows_.emplace_back(key);
      return rows_.front();
    } else if constexpr (is_text<Q>) {
      return at(std::string_view(key));
    } else {
      return at(key);
    }
  }
  auto begin() noexcept { return rows_.begin(); }
  auto end() noexcept { return rows_.end(); }
  auto begin() const noexcept { return rows_.begin(); }
  auto end() const noexcept { return rows_.end(); }
  std::size_t size() const noexcept { return rows_.size(); }
  bool empty() const noexcept { return rows_.empty(); }
  void clear() noexcept {
    index_.clear();
    rows_.clear();
  }

private:
  template <class Q> [[gnu::always_inline]] Row& at(Q const& key) {
    if (auto const it = index_.find(query<Q>{key}); it != index_.end()) [[likely]]
      return rows_[*it];
    return add(key);
  }
  template <class Q> [[gnu::noinline]] Row& add(Q const& key) {
    if (rows_.size() == std::numeric_limits<std::uint32_t>::max()) throw_too_many_keys();
    Row& fresh = rows_.emplace_back(K(key));
    index_.insert(static_cast<std::uint32_t>(rows_.size() - 1));
    return fresh;
  }

  std::vector<Row> rows_;
  boost::unordered_flat_set<std::uint32_t, hash, equal> index_;
};

}  // namespace weir::detail
