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

/// What `assignment_view::fence` has found. A value.
struct fenced_partition {
  fenced_partition() = default;

  std::optional<position> from;   ///< where the pipeline goes on; none: it has not begun
  std::optional<position> stood;  ///< where the checkpoint stood before, which may have been moved to `from`; none: it had not begun
  /// There is state of operators, its own or of partitions that it takes over from, which belongs to `from`, or to before its first record,
  /// and is behind what others have done: that is done once more.
  bool state_is_behind = false;
  /// The version of the checkpoint that has been made. Who is then assigned the partition and finds that another worker has fenced it since
  /// halts it with `errc::fenced`, before any sink is touched.
  std::uint64_t version = 0;
};

/// What a source can learn of the pipeline that reads it. Strand only.
class assignment_view {
public:
  /// How far the pipeline has got with a partition, by the store; none: it has not begun. Fails as `state_store::load` does.
  virtual task<std::optional<position>> committed(std::string partition) = 0;
  /// The same of one that it is reading, as it knows without asking the store; none of others.
  virtual std::optional<position> reached(std::string const& partition) const = 0;
  /// Before a partition is assigned that another worker may still take for its own: commits once, without changes, so that a commit of who
  /// has loaded its checkpoint before is refused from here on (`errc::stale`). `elsewhere`: how far others have brought the partition by
  /// what they share beside the store; a checkpoint that is behind that, and has no state of operators, nor any to take over, is moved
  /// there.
  /// Fails as `state_store::load` and `commit` do: with `errc::stale` when another one commits meanwhile.
  virtual task<fenced_partition> fence(std::string partition, std::optional<position> elsewhere) = 0;
  /// It drains: nothing more is assigned.
  virtual bool draining() const noexcept = 0;
  /// It drains, or its source assigns nothing more, and no partition is left that it reads.
  virtual bool over() const noexcept = 0;

protected:
  ~assignment_view() = default;
};

}  // namespace weir
