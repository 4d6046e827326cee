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
#include <utility>
#include <vector>

namespace weir::detail {

// Where a generation's ids are in a checkpoint: its start, and behind it the number of the part, both so that they are in order as bytes.
std::string generation_prefix(instant start);
std::string generation_part(instant start, std::uint64_t part);
// The start and the part's number. Throws errc::corrupt for other keys.
std::pair<instant, std::uint64_t> parse_generation_part(std::string_view key);

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
  void restore(std::uint64_t part, std::span<std::byte const> from) {
    while (!from.empty()) ids_.insert(decode_part<Id>(from));
    parts_ = part + 1;
  }

private:
  instant start_;
  std::uint64_t parts_ = 0;  // that were saved
  id_set<Id> ids_;
  std::vector<Id> fresh_;        // since the last barrier
  std::size_t fresh_bytes_ = 0;  // that they have elsewhere
};

}  // namespace weir::detail
