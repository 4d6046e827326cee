#pragma once
#include <weir/assignment.hpp>
#include <weir/position.hpp>
#include <weir/predecessor.hpp>
#include <weir/stream.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// What a transport is to the framework: a named thing with partitions, each of which can be read in order from a position.
/// Implement it to feed a pipeline from anything: `app.use_source(std::make_shared<my_source>(), ...)`.
///
/// Elements that are `positioned` (records) carry their positions; others are counted, so `after` is then the number of elements to
/// leave out. One with other elements is made of it by `source_via`, which passes on all that is declared here.
template <class R> class source {
public:
  using element_type = R;
  source() = default;
  source(source const&) = delete;
  source& operator=(source const&) = delete;
  virtual ~source() = default;
  /// For messages and, unless the pipeline is named, for the checkpoint's key: "file ticks.ndjson".
  virtual std::string_view name() const noexcept = 0;
  /// The ids of the partitions, in a stable order. At least one. Throws `weir::error` when the source cannot be reached.
  virtual std::vector<std::string> partitions() const = 0;
  /// The partition's elements strictly after `after` (from the start when there is none). May be called again, after a
  /// failure, with the position the pipeline has got to. What cannot be opened is thrown here or by the first pull. What the
  /// stream has given before it fails is committed, with the state that belongs to it, when it has gone through the handler.
  virtual stream<R> open(std::string partition, std::optional<position> after) = 0;

  // Sources whose partitions come and go (shards that split and merge, partitions that workers share) say so by these.

  /// Which partitions the pipeline is to read, and what changes; pulled while the pipeline runs and cancelled when it drains. When it
  /// ends, nothing changes any more: the pipeline is over with its last partition. When it fails, the pipeline drains and halts.
  /// Unless overridden: all of `partitions()`.
  virtual stream<assignment> assignments(assignment_view& pipeline);
  /// The partition is no longer read; it may be assigned again. On the strand that pulls `assignments`. `assignment_view::reached` still
  /// knows it.
  virtual void ended(std::string const& /*partition*/, partition_end /*how*/) noexcept {}
  /// What the source does beside being read, such as to renew what says that partitions are its own: runs with the pipeline, a drain
  /// included, which waits for it, so that it ends soon after the pipeline is over (`assignment_view::over`). When it fails, the pipeline
  /// drains and halts. Unless overridden: nothing.
  virtual task<> attend(assignment_view& pipeline);
  /// The pipeline begins to drain. On the strand that pulls `assignments`.
  virtual void drains() noexcept {}
  /// Where the frontier stands when all of the partition is done, for one whose end is final and which goes on in others (a closed shard):
  /// behind the positions of all its records, committed when its stream has ended, had it records or not. What has state in a checkpoint
  /// does not fire then, as it does at the end of the data. None: the partition may have more when it is opened again.
  virtual std::optional<position> end_of(std::string const& /*partition*/) const { return std::nullopt; }
  /// How many records of the partition are there and were not read yet, at this moment, where that is known; it is asked on the strand, now
  /// and then, and must not wait. For the metric `lag_records`.
  virtual std::optional<std::uint64_t> unread(std::string const& /*partition*/) const { return std::nullopt; }
  /// Whether it answers the two questions that follow. If not, a partition whose end is final halts there while operators have state for
  /// it.
  virtual bool knows_heirs() const noexcept { return false; }
  /// Which partitions, whose ends were final and are committed, this one goes on from: when it has no checkpoint, it takes over what
  /// operators have kept for its keys, and is then opened after `position()`, which is before its first record.
  virtual std::vector<predecessor> predecessors(std::string const& /*partition*/) const { return {}; }
  /// Which partitions go on from this one: all of them, or none while that is not known. When each has its first checkpoint, what operators
  /// have kept for this one is deleted; where they are never known, it stays.
  virtual std::vector<std::string> heirs(std::string const& /*partition*/) const { return {}; }
  /// Whether records with this partition key are in the partition, rather than in one beside it; where that is not known: yes.
  virtual bool owns(std::string const& /*partition*/, std::string_view /*partition_key*/) const { return true; }
};

template <class R> stream<assignment> source<R>::assignments(assignment_view& /*pipeline*/) {
  std::vector<std::string> ids = partitions();
  for (std::string& id : ids) {
    assignment next(assignment_kind::assigned, std::move(id));
    co_yield next;
  }
}

template <class R> task<> source<R>::attend(assignment_view& /*pipeline*/) { co_return; }

}  // namespace weir
