#pragma once
#include <weir/instant.hpp>
#include <weir/position.hpp>
#include <weir/task.hpp>

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// Whose checkpoint it is. Pipelines with different names on one stream do not see each other's.
struct checkpoint_key {
  checkpoint_key() = default;
  checkpoint_key(std::string of_pipeline, std::string of_stream, std::string of_partition) noexcept
      : pipeline(std::move(of_pipeline)), stream(std::move(of_stream)), partition(std::move(of_partition)) {}
  friend auto operator<=>(checkpoint_key const&, checkpoint_key const&) = default;

  std::string pipeline;   ///< the name of the pipeline; any bytes, like the others
  std::string stream;     ///< what it reads: "file ticks.ndjson"
  std::string partition;  ///< which part of that
};

/// A durable frontier together with the state that belongs to it.
struct saved_checkpoint {
  saved_checkpoint() = default;
  explicit saved_checkpoint(weir::position at, instant when = 0, std::vector<std::byte> with_state = {}) noexcept
      : position(at), written_at(when), state(std::move(with_state)) {}
  friend bool operator==(saved_checkpoint const&, saved_checkpoint const&) = default;

  weir::position position;       ///< everything up to here is done
  instant written_at = 0;        ///< by the clock of who wrote it; says how old the checkpoint is
  std::vector<std::byte> state;  ///< what a restart would miss otherwise; may be empty
};

/// One entry of `checkpoint_store::list`.
struct checkpoint_entry {
  checkpoint_entry(checkpoint_key k, saved_checkpoint s) noexcept : key(std::move(k)), saved(std::move(s)) {}
  friend bool operator==(checkpoint_entry const&, checkpoint_entry const&) = default;

  checkpoint_key key;
  saved_checkpoint saved;
};

/// Where checkpoints are kept, one per key. `memory_checkpoint_store` and `sqlite::checkpoint_store` are two; a third has to pass
/// `tests/conformance/checkpoint_store_conformance.hpp`.
///
/// When a `save` has returned, its checkpoint survives whatever the store promises to survive, and is what the next `load` finds; when
/// it has failed, the one before is still there, whole. Thread-safety: all functions, from any strand. Cancellation is not looked at: a
/// save that began is finished, so that the caller knows what is stored.
class checkpoint_store {
public:
  checkpoint_store() = default;
  checkpoint_store(checkpoint_store const&) = delete;
  checkpoint_store& operator=(checkpoint_store const&) = delete;
  virtual ~checkpoint_store() = default;

  /// The checkpoint of `key`; null when there is none. Fails with `errc::corrupt` when there is one that fails its check.
  virtual task<std::optional<saved_checkpoint>> load(checkpoint_key key) = 0;
  /// Replaces the checkpoint of `key`. Never backwards: a position before the stored one is refused with `errc::stale`, since
  /// somebody else has got further. At an equal position the state and time are replaced; the same again changes nothing.
  virtual task<> save(checkpoint_key key, saved_checkpoint checkpoint) = 0;
  /// All checkpoints of a pipeline, ordered by key. Fails as `load` does.
  virtual task<std::vector<checkpoint_entry>> list(std::string pipeline) = 0;
  /// Forgets the checkpoint of `key`, so that it may start again anywhere; nothing when there is none. Not refused when corrupt.
  virtual task<> erase(checkpoint_key key) = 0;
};

}  // namespace weir
