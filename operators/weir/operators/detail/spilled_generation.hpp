#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/id_digest.hpp>
#include <weir/operators/detail/id_generation.hpp>
#include <weir/operators/detail/id_run.hpp>
#include <weir/operators/detail/id_set.hpp>
#include <weir/read_through.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// What the generations of an operator share.
struct id_shelf {
  read_through stored;
  block_cache blocks;
};

// As id_generation, but ids leave memory as runs. A run begins with a barrier, which takes the ids along as blocks, and their log out;
// until that barrier is committed they stay in memory too.
template <class Id> class spilled_generation {
public:
  spilled_generation(instant start, id_shelf& shelf) noexcept : start_(start), shelf_(&shelf) {}
  instant start() const noexcept { return start_; }
  std::size_t size() const noexcept { return in_memory_.size() + left_; }
  // That no run has yet.
  std::size_t without_run() const noexcept { return in_memory_.size(); }
  // In bytes.
  std::size_t memory() const noexcept {
    std::size_t all = in_memory_.memory() + fresh_.capacity() * sizeof(Id) + fresh_bytes_;
    for (leaving const& l : leaving_) all += l.ids.memory() + l.run.filter().memory();
    for (id_run const& r : runs_) all += r.filter().memory();
    return all;
  }
  template <class Q> bool contains(Q const& id) const { return in_memory_.contains(id) || (left_ != 0 && has_left(id)); }
  static constexpr bool can_fetch = id_set<Id>::can_fetch;
  [[gnu::always_inline]] void fetch(Id id) const noexcept {
    in_memory_.fetch(id);
    if (runs_.empty()) return;
    std::uint64_t const digest = id_digest<Id>(id);
    for (id_run const& r : runs_) r.filter().fetch(digest);
  }
  template <class Q> bool insert(Q const& id, bool logged) {
    if (left_ != 0 && (in_memory_.contains(id) || has_left(id))) return false;
    bool const fresh = in_memory_.insert(id);
    if (fresh && logged) fresh_bytes_ += owned_bytes(fresh_.emplace_back(id));
    return fresh;
  }

  // What is new, as a part of the log.
  void save(state_writer& to, bool logged) {
    std::vector<std::byte> part;
    auto const append = [&part](Id const& id) { encode_state(id, part); };
    if (logged) std::ranges::for_each(fresh_, append);
    else in_memory_.for_each(append);
    fresh_.clear();
    fresh_bytes_ = 0;
    if (!part.empty()) to.put(generation_part(start_, parts_++), std::move(part));
  }
  // All that no run has, as one.
  void spill(state_writer& to) {
    std::string name = generation_part(start_, parts_);
    id_run run = write_blocks(to.read_through(), name);
    std::vector<std::byte> index;
    run.save(index);
    to.put(name + run_mark, std::move(index));
    for (; first_part_ != parts_; ++first_part_) to.erase(generation_part(start_, first_part_));
    first_part_ = ++parts_;
    fresh_.clear();
    fresh_bytes_ = 0;
    left_ += in_memory_.size();
    leaving_.emplace_back(std::exchange(in_memory_, id_set<Id>()), std::move(run), shelf_->stored.passing());
  }
  // Those go whose blocks are in the store.
  void release() {
    auto const stays = std::ranges::find_if(leaving_, [this](leaving const& l) { return !shelf_->stored.committed(l.barrier); });
    for (auto l = leaving_.begin(); l != stays; ++l) runs_.push_back(std::move(l->run));
    leaving_.erase(leaving_.begin(), stays);
  }
  bool saved() const noexcept { return parts_ != 0; }
  void restore(std::uint64_t part, std::string_view mark, std::span<std::byte const> from) {
    parts_ = part + 1;
    if (mark.empty()) {
      while (!from.empty()) in_memory_.insert(decode_part<Id>(from));
    } else {
      first_part_ = parts_;
      left_ += runs_.emplace_back(id_run::restored(generation_part(start_, part), from)).size();
    }
  }

private:
  struct leaving {
    leaving(id_set<Id> i, id_run r, std::uint64_t b) noexcept : ids(std::move(i)), run(std::move(r)), barrier(b) {}
    id_set<Id> ids;
    id_run run;
    std::uint64_t barrier;
  };
  using held = std::conditional_t<std::integral<Id>, Id, Id const*>;
  struct digested {
    std::uint64_t digest;
    held id;
  };
  static held hold(Id const& id) noexcept {
    if constexpr (std::integral<Id>) return id;
    else return &id;
  }
  static Id const& held_by(digested const& d) noexcept {
    if constexpr (std::integral<Id>) return d.id;
    else return *d.id;
  }

  template <class Q> bool has_left(Q const& id) const {
    for (leaving const& l : leaving_)
      if (l.ids.contains(id)) return true;
    if (runs_.empty()) return false;
    std::uint64_t const digest = id_digest<Id>(id);
    return std::ranges::any_of(runs_, [&](id_run const& r) { return r.filter().may_have(digest) && is_in(r, digest, id); });
  }
  template <class Q> bool is_in(id_run const& r, std::uint64_t digest, Q const& id) const {
    return id_block<Id>::has(shelf_->blocks.find(r.block_name(r.block_of(digest)), digest, shelf_->stored), digest, id);
  }
  id_run write_blocks(state_writer to, std::string const& name) const {
    std::vector<digested> all;
    all.reserve(in_memory_.size());
    in_memory_.for_each([&all](Id const& id) { all.push_back({id_digest<Id>(id), hold(id)}); });
    std::ranges::sort(all, {}, &digested::digest);
    digest_filter filter(all.size());
    for (digested const& d : all) filter.add(d.digest);
    id_run run(name, all.size(), id_run::bits_for(all.size(), id_block<Id>::ids_per_block), std::move(filter));
    auto next = all.begin();
    for (std::uint64_t block = 0; block != run.blocks(); ++block) {
      std::vector<std::byte> bytes;
      for (; next != all.end() && run.block_of(next->digest) == block; ++next) id_block<Id>::add(bytes, next->digest, held_by(*next));
      to.put(run.block_name(block), std::move(bytes));
    }
    return run;
  }

  instant start_;
  id_shelf* shelf_;
  std::uint64_t parts_ = 0, first_part_ = 0;  // that were saved; that is still in checkpoints
  std::size_t left_ = 0;                      // ids of runs
  id_set<Id> in_memory_;
  std::vector<Id> fresh_;        // since the last barrier
  std::size_t fresh_bytes_ = 0;  // that they have elsewhere
  std::vector<leaving> leaving_;
  std::vector<id_run> runs_;
};

}  // namespace weir::detail
