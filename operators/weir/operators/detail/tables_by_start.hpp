#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/keyed_table.hpp>
#include <weir/operators/detail/table_codec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

// The keys of one window, or of one slice of windows.
template <class K, class Row> struct started_table {
  explicit started_table(instant s) : start(s) {}
  instant start;
  bool fired = false;  // of windows that may give several results
  std::uint64_t elements = 0;
  keyed_table<K, Row> keys;
};

// Tables by start. They stay where they are until they go; two that have gone leave their memory to those that come.
template <class K, class Row> class tables_by_start {
public:
  using table = started_table<K, Row>;

  // The one that starts there, and whether it was made for that.
  std::pair<table*, bool> at(instant start) {
    auto const it = std::lower_bound(all_.begin(), all_.end(), start, [](pointer const& t, instant s) { return t->start < s; });
    if (it != all_.end() && (*it)->start == start) return {it->get(), false};
    return {all_.insert(it, fresh(start))->get(), true};
  }
  void drop_front(std::size_t n) {
    for (std::size_t i = 0; i != n; ++i) keep_spare(std::move(all_[i]));
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(n));
  }
  bool empty() const noexcept { return all_.empty(); }
  std::size_t size() const noexcept { return all_.size(); }
  table const& operator[](std::size_t i) const noexcept { return *all_[i]; }
  table const& front() const noexcept { return *all_.front(); }
  table const& back() const noexcept { return *all_.back(); }
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }

  void save(std::vector<std::byte>& to) const {
    encode_state(std::uint64_t{size()}, to);
    for (pointer const& t : all_) {
      encode_state(t->start, to);
      encode_state(t->elements, to);
      encode_table(t->keys, to);
    }
  }
  // `judge(table&)`: whether it is kept; throws when it cannot be. `sound` is what all of them have to be.
  template <class F> void restore(std::span<std::byte const>& from, F judge) {
    all_.clear();
    for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) {
      auto t = std::make_unique<table>(decode_part<instant>(from));
      t->elements = decode_part<std::uint64_t>(from);
      decode_table<K>(t->keys, from);
      if (judge(*t)) all_.push_back(std::move(t));
    }
  }
  bool sound(table const& next) const noexcept {
    return !next.keys.empty() && next.elements >= next.keys.size() && (empty() || back().start < next.start);
  }

private:
  using pointer = std::unique_ptr<table>;
  pointer fresh(instant start) {
    if (spares_.empty()) return std::make_unique<table>(start);
    pointer t = std::move(spares_.back());
    spares_.pop_back();
    t->start = start;
    return t;
  }
  void keep_spare(pointer t) {
    if (spares_.size() == 2) return;
    t->keys.clear();
    t->elements = 0;
    t->fired = false;
    spares_.push_back(std::move(t));
  }

  std::vector<pointer> all_, spares_;
};

}  // namespace weir::detail
