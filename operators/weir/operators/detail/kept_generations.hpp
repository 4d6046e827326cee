#pragma once
#include <weir/instant.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/id_generation.hpp>
#include <weir/operators/detail/spilled_generation.hpp>
#include <weir/operators/detail/working_set.hpp>
#include <weir/read_through.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace weir::detail {

// Makes an operator's generations of ids, by how many ids may be in memory: all,
template <class Id, class Kept> class kept_generations {
public:
  using generation = id_generation<Id>;
  explicit kept_generations(all_in_memory) noexcept {}
  std::size_t memory() const noexcept { return 0; }  // in bytes, beside the generations'
  std::unique_ptr<generation> open(instant start) const { return std::make_unique<generation>(start); }
};

// or some. Half of them are those that leave next, and half those that are leaving while the barrier that takes them is not committed.
template <class Id> class kept_generations<Id, working_set> {
public:
  using generation = spilled_generation<Id>;
  explicit kept_generations(working_set n) : most_(n.size()), shelf_(std::make_unique<id_shelf>()) {}
  std::size_t memory() const noexcept { return shelf_->blocks.memory(); }
  std::unique_ptr<generation> open(instant start) const { return std::make_unique<generation>(start, *shelf_); }

  void read_from(read_through const& stored) { shelf_->stored = stored; }
  void save(state_writer& to, read_through const& stored, std::vector<std::unique_ptr<generation>> const& live, bool logged) {
    read_from(stored);
    std::size_t in_memory = 0;
    for (auto const& g : live) {
      g->release();
      in_memory += g->without_run();
    }
    if (in_memory > most_ / 2) spill(to, live, in_memory);
    for (auto const& g : live) g->save(to, logged);
  }

private:
  // The largest first: each run costs a look for every id.
  void spill(state_writer& to, std::vector<std::unique_ptr<generation>> const& live, std::size_t in_memory) const {
    std::vector<generation*> largest;
    largest.reserve(live.size());
    for (auto const& g : live) largest.push_back(g.get());
    std::ranges::sort(largest, std::ranges::greater(), &generation::without_run);
    for (generation* const g : largest) {
      if (in_memory <= most_ / 4) break;
      in_memory -= g->without_run();
      g->spill(to);
    }
  }

  std::size_t most_;
  std::unique_ptr<id_shelf> shelf_;
};

}  // namespace weir::detail
