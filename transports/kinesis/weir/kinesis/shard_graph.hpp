#pragma once
#include <weir/kinesis/hash_key.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/kinesis/starting_position.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::kinesis {

/// How far a pipeline has got with a shard, by its checkpoints.
enum class shard_progress : std::uint8_t {
  none,      ///< there is no checkpoint
  some,      ///< there is one in the middle
  finished,  ///< there is one behind its end
};

/// The shards of a stream as far as they are known: which of them may be read now, where each begins, which keys nobody reads. No I/O.
///
/// A shard is read when all its parents, one after a split, two after a merge, are done, so that the records of a key stay in order. Done
/// is a shard that was finished, one from which others came that were read already, and one that the service does not list any more.
/// - Nothing was read yet of a shard, nor of those it came of: it begins at the configured start. At the tip that is: the open ones; the
///   closed ones are left out, since nothing comes there any more.
/// - Every other one without a checkpoint begins with its oldest record, so that nothing is left out between parents and children; where
///   the start is a time, at that time, which for what came later is the same.
///
/// It is told what ListShards says, then, of each shard in `unknown`, how far it is; then `take_readable` says which to begin with, each
/// once. Costs of a call are proportional to what has changed, of `update` and `unread` to the number of shards. Strand only.
/// Source: "KCL 3.x lease lifecycle", "Strategies for handling resharding", Kinesis Data Streams developer guide.
class shard_graph {
public:
  explicit shard_graph(starting_position start) : start_(std::move(start)) {}

  /// All shards there are, in any order. Those that are not among them any more are forgotten, unless they are being read.
  void update(std::vector<shard> const& listed);
  /// Those whose progress has not been told.
  std::vector<std::string> const& unknown() const noexcept { return unknown_; }
  /// Of one in `unknown`, which changes at the next `take_readable`.
  void set_progress(std::string const& id, shard_progress p);
  /// Which may be read now and were not returned before. Precondition: the progress of all was told.
  std::vector<std::string> take_readable();

  /// It was read to its end, and that is committed.
  void finish(std::string const& id);
  /// Reading it has failed for good: nobody reads it, nor what came of it.
  void halt(std::string const& id);

  /// Those of which nothing, or not all, was read when the service forgot them, since the last call: their records are lost.
  std::vector<std::string> take_missed() noexcept { return std::exchange(missed_, {}); }

  /// Null: it is not known.
  shard const* find(std::string const& id) const noexcept;
  /// The same of one that may be gone: the latest 10,000 of these are remembered.
  shard const* recall(std::string const& id) const noexcept;
  /// One that somebody else knows (a lease), and that may be gone.
  void remember(shard s);
  /// All that it ended in; none while that is not known.
  std::vector<std::string> heirs_of(std::string const& id) const;
  /// Whether it has the lowest keys of those that `parent` ended in; when too little is known of that one, of those that are known.
  bool is_first_of(std::string const& parent, std::string const& id) const;
  /// Where a shard without a checkpoint begins.
  starting_position start_of(std::string const& id) const;
  std::size_t size() const noexcept { return all_.size(); }
  /// The ids of those that are known, in order.
  std::vector<std::string> ids() const;
  /// The keys that belong to no shard which is read or waits for its parents, in order; none: all is well. When there are some for longer
  /// than it takes to list the children of what was finished, records are missed.
  std::vector<hash_key_range> unread() const;

private:
  enum class state : std::uint8_t { unknown, waiting, reading, done, halted };
  struct node {
    shard what;
    std::vector<std::string> children;
    std::uint64_t listing = 0;  // the last one that had it
    shard_progress progress = shard_progress::none;
    state is = state::unknown;
    bool follows = false;  // something it came of was read, or it came while we read
  };
  node* at(std::string const& id) noexcept;
  template <class Visit> void each_parent(node const& n, Visit visit);
  bool parents_done(node const& n);
  void forget_unlisted();
  void settle();
  void pass_on(node& n);
  void pass_back(node const& n);
  void look_at_children(node const& n);

  starting_position start_;
  std::unordered_map<std::string, node> all_;
  std::vector<std::string> unknown_;
  std::vector<std::string> candidates_;  // may have become readable
  std::vector<std::string> missed_;
  std::map<std::string, shard> gone_;  // ids are in the order in which shards came
  std::uint64_t listings_ = 0;
};

}  // namespace weir::kinesis
