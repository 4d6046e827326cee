#pragma once
#include <weir/instant.hpp>
#include <weir/position.hpp>
#include <weir/store_write.hpp>
#include <weir/task.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
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

/// One piece of state: what an operator keeps under one key of its own. Ordered by operator, then key, as bytes.
struct state_entry {
  state_entry() = default;
  state_entry(std::string of_operator, std::string under_key, std::vector<std::byte> kept) noexcept
      : operator_id(std::move(of_operator)), key(std::move(under_key)), value(std::move(kept)) {}
  friend bool operator==(state_entry const&, state_entry const&) = default;

  std::string operator_id;       ///< stable over restarts and new versions of the program; any bytes, like the others
  std::string key;               ///< may be empty
  std::vector<std::byte> value;  ///< may be empty
};

/// What happened to an operator's entries since the commit before.
enum class state_change_kind : std::uint8_t {
  put,           ///< there is an entry with this key and value now
  erase,         ///< there is no entry with this key any more, if there was one
  erase_prefix,  ///< there is none any more whose key begins with this one; with an empty key: none at all
};

/// One step of a commit. The steps of a commit are taken in order.
struct state_change {
  static state_change put(std::string of_operator, std::string key, std::vector<std::byte> value) noexcept {
    return {state_change_kind::put, state_entry(std::move(of_operator), std::move(key), std::move(value))};
  }
  static state_change erase(std::string of_operator, std::string key) noexcept {
    return {state_change_kind::erase, state_entry(std::move(of_operator), std::move(key), {})};
  }
  static state_change erase_prefix(std::string of_operator, std::string prefix) noexcept {
    return {state_change_kind::erase_prefix, state_entry(std::move(of_operator), std::move(prefix), {})};
  }
  friend bool operator==(state_change const&, state_change const&) = default;

  state_change_kind kind;
  state_entry entry;  ///< without a value, unless it is put

private:
  state_change(state_change_kind k, state_entry e) noexcept : kind(k), entry(std::move(e)) {}
};

/// A durable frontier, without the state that belongs to it.
struct checkpoint_head {
  checkpoint_head() = default;
  checkpoint_head(weir::position at, instant when, std::uint64_t nth, std::string by) noexcept
      : position(at), written_at(when), version(nth), writer(std::move(by)) {}
  friend bool operator==(checkpoint_head const&, checkpoint_head const&) = default;

  weir::position position;    ///< everything up to here is done
  instant written_at = 0;     ///< by the clock of who wrote it; says how old the checkpoint is
  std::uint64_t version = 0;  ///< 1 for the first commit of its key, one more with each
  std::string writer;         ///< who wrote it: a text that no other run of a pipeline has
};

/// A durable frontier together with the state that belongs to it.
struct saved_checkpoint {
  saved_checkpoint() = default;
  explicit saved_checkpoint(checkpoint_head h, std::vector<state_entry> with_state = {}) noexcept
      : head(std::move(h)), entries(std::move(with_state)) {}
  friend bool operator==(saved_checkpoint const&, saved_checkpoint const&) = default;

  checkpoint_head head;
  std::vector<state_entry> entries;  ///< what a restart would miss otherwise, in order
};

/// Where a commit may move the frontier.
enum class frontier_move : std::uint8_t {
  onward,    ///< to where it is, or further: what pipelines do
  anywhere,  ///< back too: what people do. The state belongs to where the frontier was, so all of it has to go in the same commit
};

/// What a commit changes: the frontier moves, and with it the state.
struct checkpoint_update {
  checkpoint_update() = default;
  checkpoint_update(checkpoint_head next, std::vector<state_change> with_changes = {},
                    std::vector<std::shared_ptr<store_write>> with_writes = {}) noexcept
      : head(std::move(next)), changes(std::move(with_changes)), writes(std::move(with_writes)) {}

  checkpoint_head head;  ///< its version is one more than that of the checkpoint it builds on: 1 when there is none yet
  std::vector<state_change> changes;
  std::vector<std::shared_ptr<store_write>> writes;  ///< of sinks, in order; each made for the store that gets it
  frontier_move move = frontier_move::onward;
};

/// One entry of `state_store::list`.
struct checkpoint_listing {
  checkpoint_listing(checkpoint_key k, checkpoint_head h, std::uint64_t n, std::uint64_t size) noexcept
      : key(std::move(k)), head(std::move(h)), entries(n), bytes(size) {}
  friend bool operator==(checkpoint_listing const&, checkpoint_listing const&) = default;

  checkpoint_key key;
  checkpoint_head head;
  std::uint64_t entries;  ///< how many pieces of state it has
  std::uint64_t bytes;    ///< of their operators' names, keys and values together
};

class entry_reader;

/// Where checkpoints are kept, one per key: `memory_state_store`, and `state_store` of `sqlite`, `rocksdb`, `postgres`, `redis` and
/// `dynamodb`. Another has to pass `tests/conformance/state_store_conformance.hpp`.
///
/// A commit is one transaction. When it has returned, it survives whatever the store promises to survive, and is what the next `load`
/// finds, whole; when it has failed, what was there before is still there, whole. Where it cannot be known whether a commit arrived (the
/// connection was lost behind it), the store asks again until it knows: a stored head equal to the one it was to write says that it did.
///
/// Thread-safety: all functions, from any strand. Cancellation is not looked at: a commit that began is finished, so that the caller knows
/// what is stored.
class state_store {
public:
  state_store() = default;
  state_store(state_store const&) = delete;
  state_store& operator=(state_store const&) = delete;
  virtual ~state_store() = default;

  /// The checkpoint of `key`; null when there is none. Fails with `errc::corrupt` when there is one that fails its check.
  virtual task<std::optional<saved_checkpoint>> load(checkpoint_key key) = 0;
  /// The same without the entries that operators read one by one (`is_read_through`): what a pipeline begins with. A store with a `reader`
  /// should not touch them.
  virtual task<std::optional<saved_checkpoint>> load_resident(checkpoint_key key);
  /// Moves the checkpoint of `key` on. Refused with `errc::stale`, and nothing is changed, when it does not build on what is stored:
  /// another version is stored (somebody else has committed since), or a later position and the update may not move back. The same head
  /// again is no error and changes nothing. Fails with `errc::misuse`, before anything is written, when a sink's write was made for another
  /// store.
  virtual task<> commit(checkpoint_key key, checkpoint_update update) = 0;
  /// All checkpoints of a pipeline, ordered by key. Fails as `load` does.
  virtual task<std::vector<checkpoint_listing>> list(std::string pipeline) = 0;
  /// Whose checkpoints there are, of all pipelines, in order. Does not look at the checkpoints: one that is corrupt has its key here.
  virtual task<std::vector<checkpoint_key>> keys() = 0;
  /// Whether it does the writes of sinks that were made for `other`: it is that one, or passes commits on to it.
  virtual bool does_writes_of(state_store const& other) const noexcept { return this == &other; }
  /// For operators whose state is larger than memory; null: the store cannot read single entries. Lives as long as the store.
  virtual entry_reader* reader() noexcept { return nullptr; }
  /// Forgets the checkpoint of `key` and its state, so that it may start again anywhere; nothing when there is none. Not refused when
  /// corrupt.
  virtual task<> erase(checkpoint_key key) = 0;
};

}  // namespace weir
