#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/id_set.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::detail {

// Where a generation's ids are in a checkpoint: its start, and behind it the number of the part, both so that they are in order as bytes.
std::string generation_prefix(instant start);
std::string generation_part(instant start, std::uint64_t part);
// The start, the part's number, and what is behind them: nothing, or that it is a run. Throws errc::corrupt for other keys.
struct generation_entry {
  instant start;
  std::uint64_t part;
  std::string_view mark;
};
inline constexpr char run_mark = 'r';
generation_entry parse_generation_entry(std::string_view key);
// Throws errc::incompatible: there are ids which only a dedup with a working set finds.
[[noreturn]] void throw_ids_left_in_store();

// Ids that go together. In a checkpoint they are a log: each barrier appends those that are new since the one before, and the whole is
// dropped at once; so no id is written twice, nor ever sought in the store.
template <class Id> class id_generation {
public:
  explicit id_generation(instant start) noexcept : start_(start) {}
  instant start() const noexcept { return start_; }
  std::size_t size() const noexcept { return ids_.size(); }
  template <class Q> bool contains(Q const& id) const { return ids_.contains(id); }
  // In bytes.
  std::size_t memory() const noexcept { return ids_.memory() + fresh_.capacity() * sizeof(Id) + fresh_bytes_; }
  // Ahead of the two, for ids which can be fetched.
  static constexpr bool can_fetch = id_set<Id>::can_fetch;
  [[gnu::always_inline]] void fetch(Id id) const noexcept { ids_.fetch(id); }
  // `logged`: there are checkpoints that will want to know. True: it is new.
  template <class Q> bool insert(Q const& id, bool logged) {
    bool const fresh = ids_.insert(id);
    if (fresh && logged) fresh_bytes_ += owned_bytes(fresh_.emplace_back(id));
    return fresh;
  }

  // What is new; all of it, if nothing was logged so far.
  void save(state_writer& to, bool logged) {
    std::vector<std::byte> part;
    auto const append = [&part](Id const& id) { encode_state(id, part); };
    if (logged) std::ranges::for_each(fresh_, append);
    else ids_.for_each(append);
    fresh_.clear();
    fresh_bytes_ = 0;
    if (!part.empty()) to.put(generation_part(start_, parts_++), std::move(part));
  }
  bool saved() const noexcept { return parts_ != 0; }
  void restore(std::uint64_t part, std::string_view mark, std::span<std::byte const> from) {
    if (!mark.empty()) throw_ids_left_in_store();
    while (!from.empty()) ids_.insert(decode_part<Id>(from));
    parts_ = part + 1;
  }
  // What was saved for another partition, and is to be saved for this one; before anything is logged.
  void take_over(std::string_view mark, std::span<std::byte const> from) {
    if (!mark.empty()) throw_ids_left_in_store();
    while (!from.empty()) ids_.insert(decode_part<Id>(from));
  }

private:
  instant start_;
  std::uint64_t parts_ = 0;  // that were saved
  id_set<Id> ids_;
  std::vector<Id> fresh_;        // since the last barrier
  std::size_t fresh_bytes_ = 0;  // that they have elsewhere
};

}  // namespace weir::detail
