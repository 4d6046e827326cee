#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/keyed_table.hpp>
#include <weir/operators/detail/row_marks.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/window_row.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// The keys of one window, or of one slice of windows.
template <class K, class Row> struct started_table {
  explicit started_table(instant s) : start(s) {}
  instant start;
  bool fired = false;  // of windows that may give several results
  bool saved = false;  // checkpoints have it
  std::uint64_t elements = 0;
  keyed_table<K, Row> keys;
  row_marks changed;                          // since the last checkpoint
  std::size_t counted = 0, counted_keys = 0;  // bytes, and keys, when it was looked at last
  std::size_t memory() const noexcept { return sizeof(started_table) + keys.memory() + changed.memory(); }
};

// Tables by start. They stay where they are until they go; two that have gone leave their memory to those that come.
template <class K, class Row> class tables_by_start {
public:
  using table = started_table<K, Row>;

  // The one that starts there, and whether it was made for that.
  std::pair<table*, bool> at(instant start) {
    auto const it = std::lower_bound(all_.begin(), all_.end(), start, [](pointer const& t, instant s) { return t->start < s; });
    bool const made = it == all_.end() || (*it)->start != start;
    last_ = made ? all_.insert(it, fresh(start))->get() : it->get();
    return {last_, made};
  }
  void drop_front(std::size_t n) {
    last_ = nullptr;
    for (std::size_t i = 0; i != n; ++i) {
      if (all_[i]->saved) gone_.push_back(all_[i]->start);
      bytes_ -= std::exchange(all_[i]->counted, 0);
      keys_ -= std::exchange(all_[i]->counted_keys, 0);
      keep_spare(std::move(all_[i]));
    }
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(n));
  }
  bool empty() const noexcept { return all_.empty(); }
  std::size_t size() const noexcept { return all_.size(); }
  table const& operator[](std::size_t i) const noexcept { return *all_[i]; }
  table const& front() const noexcept { return *all_.front(); }
  table const& back() const noexcept { return *all_.back(); }
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }

  // In bytes. Of many tables it looks at the one that was asked for last and some others, in turns; what states have elsewhere is sampled.
  std::size_t memory() {
    if (last_) look_at(*last_);
    for (std::size_t n = std::min<std::size_t>(all_.size(), 4); n != 0; --n) look_at(*all_[turn_++ % all_.size()]);
    std::size_t spare = 0;
    for (pointer const& t : spares_) spare += t->memory();
    return bytes_ + spare + states_.of(keys_);
  }

  // In a checkpoint: an entry per key and table, with the row behind so many bytes; the head says which tables there are.
  static constexpr std::size_t row_at = sizeof(std::uint64_t);
  void save_head(std::vector<std::byte>& to) const {
    encode_state(std::uint64_t{size()}, to);
    for (pointer const& t : all_) {
      encode_state(t->start, to);
      encode_state(t->elements, to);
      encode_state(std::uint64_t{t->keys.size()}, to);
    }
  }
  void save_rows(state_writer& to) {
    for (instant const start : gone_) to.erase_prefix(name_of(start));
    gone_.clear();
    for (pointer const& t : all_) {
      t->changed.take_each([&](std::size_t place) {
        auto const& row = *(t->keys.begin() + static_cast<std::ptrdiff_t>(place));
        std::vector<std::byte> value;
        encode_state(std::uint64_t{place}, value);
        encode_row(row, value);
        to.put(name_of(t->start) + row_name(row.key), std::move(value));
      });
      t->saved = true;
    }
  }
  // Takes its part off the head. `judge(table&)`: whether it is kept; throws when it cannot be. `sound` is what all of them have to be.
  template <class F> void restore(std::span<std::byte const>& head, std::span<state_entry const> from, F judge) {
    all_.clear();
    gone_.clear();
    last_ = nullptr;
    bytes_ = keys_ = 0;
    for (auto n = decode_part<std::uint64_t>(head); n != 0; --n) {
      auto t = std::make_unique<table>(decode_part<instant>(head));
      t->elements = decode_part<std::uint64_t>(head);
      t->saved = true;
      restore_rows(*t, decode_part<std::uint64_t>(head), from);
      bool const kept = judge(*t);
      if (kept) look_at(*t);
      if (kept) all_.push_back(std::move(t));
      else gone_.push_back(t->start);
    }
    if (!from.empty()) throw_damaged_state("window", "it has entries of a window that it does not know");
  }
  // The rows of a table of another partition that are `mine(key)`, in one of these. Which elements had which key is not known: each of them
  // counts for one, and whoever has the first for the others. Returns how many that are.
  template <class Mine> std::uint64_t take_over(table& from, Mine const& mine) {
    std::uint64_t const others = from.elements - from.keys.size();
    std::uint64_t elements = 0;
    std::size_t place = 0;
    for (Row& r : from.keys) {
      bool const first = place++ == 0;
      if (!mine(r.key)) continue;
      table& into = *at(from.start).first;
      std::size_t const before = into.keys.size();
      Row& own = into.keys[r.key];
      if (into.keys.size() == before) throw_damaged_state("window", "two partitions have had one key");
      own = std::move(r);
      into.changed.set(into.keys.place_of(own));
      into.elements += first ? 1 + others : 1;
      elements += first ? 1 + others : 1;
    }
    return elements;
  }
  bool sound(table const& next) const noexcept {
    return !next.keys.empty() && next.elements >= next.keys.size() && (empty() || back().start < next.start);
  }

private:
  using pointer = std::unique_ptr<table>;
  void look_at(table& t) {
    bytes_ += t.memory() - t.counted;
    keys_ += t.keys.size() - t.counted_keys;
    t.counted = t.memory();
    t.counted_keys = t.keys.size();
    if (!t.keys.empty()) states_.look_at((t.keys.begin() + static_cast<std::ptrdiff_t>(turn_ % t.keys.size()))->folded);
  }
  static std::string name_of(instant start) {
    std::string name;
    put_time_in_name(name, start);
    return name;
  }
  // Takes a table's rows off the entries.
  static void restore_rows(table& t, std::uint64_t n, std::span<state_entry const>& from) {
    std::string const start = name_of(t.start);
    std::size_t of_table = 0;
    while (of_table != from.size() && from[of_table].key.starts_with(start)) ++of_table;
    if (of_table != n) {
      throw_damaged_state("window", "the window that starts at " + std::to_string(t.start) + " ns had " + std::to_string(n) +
                                        " keys, and " + std::to_string(of_table) + " are there");
    }
    std::vector<state_entry const*> rows(of_table);
    for (std::size_t i = 0; i != of_table; ++i) {
      std::span<std::byte const> value = from[i].value;
      auto const place = decode_part<std::uint64_t>(value);
      if (place >= of_table || std::exchange(rows[place], &from[i])) throw_damaged_state("window", "two of its keys are in one place");
    }
    for (state_entry const* e : rows) {
      std::span<std::byte const> value = std::span(e->value).subspan(sizeof(std::uint64_t));
      std::size_t const before = t.keys.size();
      Row& r = t.keys[key_of_row<K>("window", std::string_view(e->key).substr(start.size()))];
      if (t.keys.size() == before) throw_damaged_state("window", "it has a key twice");
      decode_row(r, value);
      if (!value.empty()) throw_state_left_over();
    }
    from = from.subspan(of_table);
  }
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
    t->changed.clear();
    t->elements = 0;
    t->fired = t->saved = false;
    spares_.push_back(std::move(t));
  }

  std::vector<pointer> all_, spares_;
  std::vector<instant> gone_;  // starts of tables that checkpoints still have
  table* last_ = nullptr;
  std::size_t bytes_ = 0, keys_ = 0, turn_ = 0;  // of those that were looked at
  sampled_bytes<decltype(Row::folded)> states_;
};

}  // namespace weir::detail
