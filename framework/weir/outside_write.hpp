#pragma once
#include <weir/sink_write.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>

namespace weir {

/// What a sink that is not in the store adds to a commit: its rows, which are written before the store says that they are done.
///
/// When it fails, so does the commit, and nothing is lost. Of a commit that is tried again, what was written is not written again; after a
/// crash the rows come again, in a write of their own. Strand only.
class outside_write : public sink_write {
public:
  /// Writes all of it, and returns when whoever gets it has it. `of`: the checkpoint to come. `number`: which commit of this partition
  /// it is, not counting those by which workers only fenced it; the next one that succeeds has this number, whatever happens between, also
  /// where another worker takes the partition over. Called again when it has failed.
  virtual task<> write(checkpoint_key of, std::uint64_t number) = 0;
  /// Takes over the rows of a later one for the same commit, before either is written. False: that one is of another sink.
  virtual bool join(outside_write& later) = 0;
  /// For hosts, before `write`: how often the partition had been fenced (`assignment_view::fence`) when this worker began with it: more
  /// with each worker that takes it over, 0 where no other one can.
  void fences(std::uint64_t count) noexcept { fences_ = count; }

protected:
  outside_write() = default;
  std::uint64_t fences() const noexcept { return fences_; }

private:
  std::uint64_t fences_ = 0;
};

}  // namespace weir
