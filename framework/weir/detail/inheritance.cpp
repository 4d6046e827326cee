#include <weir/detail/inheritance.hpp>

#include <weir/committed_entries.hpp>
#include <weir/context.hpp>
#include <weir/detail/checkpoint_parts.hpp>
#include <weir/detail/fence.hpp>
#include <weir/detail/host_entries.hpp>
#include <weir/error.hpp>
#include <weir/heir.hpp>
#include <weir/log.hpp>
#include <weir/schema_id.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace weir::detail {
namespace {

class heir_of final : public heir {
public:
  heir_of(std::shared_ptr<succession const> order, std::string heir, predecessor of)
      : order_(std::move(order)), heir_(std::move(heir)), of_(std::move(of)) {}

  bool owns(std::string_view partition_key) const override {
    if (order_->owns(of_.partition, partition_key)) return order_->owns(heir_, partition_key);
    throw error(errc::misuse, "checkpoint: state cannot be handed over",
                "there is some under the key \"" + std::string(partition_key) +
                    "\", and records with that as their partition key are not in " + of_.partition + ", which has ended and goes on in " +
                    heir_ + ": they are partitioned by something else (another key, an explicit hash key, a service that ignores keys)",
                "say which partition key the records of a key have: key_by(f, partitioned_by(g)); the state is kept as it is");
  }
  bool takes_rest() const noexcept override { return of_.leaves_rest; }

private:
  std::shared_ptr<succession const> order_;
  std::string heir_;
  predecessor of_;
};

// The last checkpoint of a partition that went before.
struct ancestor {
  ancestor(predecessor p, checkpoint_key k, saved_checkpoint c) noexcept : of(std::move(p)), key(std::move(k)), saved(std::move(c)) {}
  predecessor of;
  checkpoint_key key;
  saved_checkpoint saved;
};

// A partition in front of which there may be state.
struct candidate {
  candidate(predecessor p, std::string without) noexcept : of(std::move(p)), past(std::move(without)) {}
  predecessor of;
  std::string past;  // those between, which have no checkpoint
};

// Partitions in front of one that have no checkpoint, for messages.
struct unknown_past {
  std::string all;
  std::string lost;    // of which nobody knows any more what they came of
  std::string passed;  // between the partition and state that it takes over, which has nothing of them
};

void name(std::string& in, std::string const& partition) { in.append(in.empty() ? "" : ", ").append(partition); }

// Those whose state goes on in the partition of `key`; `without` gets the others.
task<std::vector<ancestor>> ancestors(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order,
                                      unknown_past& without) {
  std::vector<ancestor> out;
  std::vector<candidate> left;
  for (predecessor& nearest : order->predecessors(key.partition)) left.emplace_back(std::move(nearest), "");
  std::vector<std::string> seen{key.partition};
  for (std::size_t i = 0; i != left.size(); ++i) {
    auto [next, past] = left[i];
    if (std::ranges::find(seen, next.partition) != seen.end()) continue;
    seen.push_back(next.partition);
    checkpoint_key of(key.pipeline, key.stream, next.partition);
    std::optional<saved_checkpoint> saved = co_await store.load(of);
    if (!saved || !begun(*saved)) {  // nothing, or a fence
      std::vector<predecessor> further = order->predecessors(next.partition);
      if (next.is_gone && further.empty()) name(without.lost, next.partition);
      name(without.all, next.partition);
      name(past, next.partition);
      for (predecessor& before : further)
        left.emplace_back(predecessor(std::move(before.partition), before.leaves_rest && next.leaves_rest, before.is_gone), past);
    } else if (has_state(*saved)) {
      if (!past.empty()) name(without.passed, past);
      out.emplace_back(std::move(next), std::move(of), *std::move(saved));
    }
  }
  co_return out;
}

error& located(error& e, checkpoint_key const& of) {
  return e.with_stream(of.stream).with_partition(of.partition).with_detail("pipeline " + of.pipeline);
}

// What others did of it is not in its state. Where that cannot be made up for, it is said, and the state is all there is.
void check_ended(ancestor const& a, succession const& order, std::string const& heir, logger const& log) {
  std::optional<position> const end = order.end_of(a.of.partition);
  if (!end || a.saved.head.position >= *end) return;
  if (a.of.is_gone) {
    log.error("checkpoint: records are lost (stream " + a.key.stream + ", partition " + a.key.partition + ", pipeline " + a.key.pipeline +
              "): it is gone, and was done up to " + a.saved.head.position.text() + " only; what operators kept up to there goes on in " +
              heir);
    return;
  }
  error e(errc::misuse, "checkpoint: state cannot be handed over",
          "the partition goes on in " + heir + ", and by its checkpoint, with the state of operators, it is done up to " +
              a.saved.head.position.text() + " only: others have done the rest without this state",
          "have it read to its end with these checkpoints (with leases: take its checkpoint in the lease table back, and let all workers "
          "keep theirs in one store), or drop its state (weir state erase)");
  throw located(e, a.key);
}

// There may be state for the partition of `key` that cannot be found: what of it nobody has taken over, so far, is named.
task<> say_lost(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order, std::string lost) {
  context const& own = co_await current_context();
  std::vector<checkpoint_listing> const all = co_await store.list(key.pipeline);
  std::string left;
  for (checkpoint_listing const& c : all) {
    std::optional<position> const end = order->end_of(c.key.partition);
    if (c.key.stream != key.stream || !end || c.head.position < *end || c.entries == 0) continue;
    std::optional<saved_checkpoint> const saved = co_await store.load_resident(c.key);
    if (saved && has_state(*saved)) left.append(left.empty() ? "" : ", ").append(c.key.partition);
  }
  if (left.empty()) co_return;
  own.log().warning(
      "checkpoint: state may be left behind (stream " + key.stream + ", partition " + key.partition + ", pipeline " + key.pipeline +
      "): it goes on from " + lost +
      ", without a checkpoint and gone, so that it is not known what that came of; nobody has taken over all of what there is "
      "of " +
      left);
}

// Whoever read those has kept no checkpoint here (a worker of another kind, or with another store), or nobody has read them.
void say_passed(logger const& log, checkpoint_key const& key, std::string const& passed) {
  log.warning(
      "checkpoint: state lacks records (stream " + key.stream + ", partition " + key.partition + ", pipeline " + key.pipeline +
      "): it goes on from " + passed +
      ", without a checkpoint in this store, so that what came there is not in the state that is taken over from before; where others "
      "read that stream too, let all of them keep their checkpoints in one store");
}

// No warning: a pipeline may have no state, or have begun here.
void say_without(logger const& log, checkpoint_key const& key, std::string const& all) {
  log.info("checkpoint: nothing is taken over (stream " + key.stream + ", partition " + key.partition + ", pipeline " + key.pipeline +
           "): it goes on from " + all + ", without a checkpoint in this store, so that operators begin with nothing of what came there");
}

}  // namespace

task<bool> inherits(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order) {
  unknown_past without;
  std::vector<ancestor> const all = co_await ancestors(store, std::move(key), std::move(order), without);
  co_return !all.empty();
}

task<bool> take_over(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order, std::vector<migration> const& changes,
                     restored_state& into) {
  context const& own = co_await current_context();
  std::string from;
  unknown_past without;
  std::vector<ancestor> all = co_await ancestors(store, key, order, without);
  if (!without.lost.empty()) co_await say_lost(store, key, order, without.lost);
  if (!without.passed.empty()) say_passed(own.log(), key, without.passed);
  if (all.empty() && !without.all.empty()) say_without(own.log(), key, without.all);
  for (ancestor& a : all) {
    check_ended(a, *order, key.partition, own.log());
    std::vector<state_entry>& entries = a.saved.entries;
    std::erase_if(entries, [](state_entry const& e) { return is_of_host(e.operator_id) && e.operator_id != schema_id; });
    try {
      committed_entries const stored(store.reader(), a.key);
      std::vector<std::string> ran;
      run_migrations(changes, entries, &stored, ran);
    } catch (error& e) {
      located(e, a.key);
      throw;
    }
    if (std::ranges::all_of(entries, [](state_entry const& e) { return e.operator_id == schema_id; })) continue;
    from.append(from.empty() ? "" : ", ").append(a.key.partition);
    into.add_predecessor(std::move(entries), std::make_shared<heir_of>(order, key.partition, std::move(a.of)));
  }
  if (from.empty()) co_return false;
  own.log().info("checkpoint: state is taken over (pipeline " + key.pipeline + ", partition " + key.partition + "): from " + from +
                 "; it is read from its first record");
  co_return true;
}

}  // namespace weir::detail
