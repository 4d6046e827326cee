#pragma once
#include <weir/position.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace weir {

/// What is to happen with a partition.
enum class assignment_kind : std::uint8_t {
  assigned,  ///< it is this pipeline's: read it from its checkpoint on. Nothing while it is being read
  revoked,   ///< let go of it: stop reading, finish what was read, commit. Nothing while it is not being read, as for `lost`
  lost,      ///< somebody else has it: cancel what is under way, and commit nothing any more
};

/// A change of what a pipeline reads. Source: assigned, revoked and lost as in Kafka's ConsumerRebalanceListener.
struct assignment {
  assignment() = default;
  assignment(assignment_kind k, std::string of_partition) noexcept : kind(k), partition(std::move(of_partition)) {}
  friend bool operator==(assignment const&, assignment const&) = default;

  assignment_kind kind = assignment_kind::assigned;
  std::string partition;
};

/// How the reading of a partition ended.
enum class partition_end : std::uint8_t {
  finished,  ///< all its data is done, and that is committed
  released,  ///< it was revoked or lost, the application drains, or its handler returned before the end of the data
  halted,    ///< it failed; what is done up to there is committed, where the store could be reached
};

/// What a source can learn of the pipeline that reads it. Strand only.
class assignment_view {
public:
  /// How far the pipeline has got with a partition, by the store; none: it has not begun. Fails as `state_store::load` does.
  virtual task<std::optional<position>> committed(std::string partition) = 0;

protected:
  ~assignment_view() = default;
};

}  // namespace weir
