#pragma once
#include <weir/barrier.hpp>
#include <weir/detail/lineage.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::detail {

// The checkpoint of branches that have met: theirs are done when it is, and it takes their place behind the merge.
class met_barrier final : public barrier {
public:
  // At least one.
  met_barrier(std::vector<barrier*> branches, std::string line);
  void hold(bool held) override;

private:
  void on_complete() noexcept override;
  std::vector<barrier*> branches_;
};

// Where branches of one split meet: an input that has come to a barrier, or to the mark of a restore, waits until the others have, and one
// mark passes. What is behind is saved at one moment so, with all that was before the checkpoint and nothing from after it.
class barrier_alignment {
public:
  // For each input, where it comes from.
  explicit barrier_alignment(std::vector<lineage> inputs);

  // Other inputs come to it too.
  bool meets(std::size_t input, mark const& m) const noexcept;
  // The input has come to such a mark, and waits behind it.
  void arrived(std::size_t input, mark const& m);
  bool waits(std::size_t input) const noexcept { return inputs_[input].at.has_value(); }
  // Nothing more will come of it.
  void ended(std::size_t input) noexcept { inputs_[input].ended = true; }

  // All that wait for each other are there.
  bool complete() const noexcept { return waiting_ != 0 && first_complete(); }
  struct meeting {
    meeting(mark m, std::vector<std::size_t> i) noexcept : passes(m), inputs(std::move(i)) {}
    mark passes;
    std::vector<std::size_t> inputs;  // who goes on behind it
  };
  // Once for each. Throws `errc::misuse` when they have come to different checkpoints.
  meeting take();

private:
  struct input {
    explicit input(lineage l) noexcept : from(std::move(l)) {}
    lineage from;
    std::optional<mark> at;
    bool ended = false;
  };
  std::optional<std::size_t> first_complete() const noexcept;
  bool all_there(std::uint64_t family, mark_kind kind) const noexcept;
  std::string line_behind(std::uint64_t family) const;

  std::vector<input> inputs_;
  std::size_t waiting_ = 0;
};

}  // namespace weir::detail
