#include <weir/dynamodb/state_store.hpp>

#include <weir/detail/commit_check.hpp>
#include <weir/detail/to_its_end.hpp>
#include <weir/dynamodb/detail/checkpoint_table.hpp>
#include <weir/error.hpp>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace weir::dynamodb {
namespace {

using detail::state_delta;
using detail::stored_head;
using weir::detail::commit_verdict;

constexpr unsigned most_beginnings = 10;  // of what commits of others interrupt

[[noreturn]] void give_up(std::string_view what, checkpoint_key const& key, std::string const& table) {
  throw error(errc::busy, "checkpoint: cannot " + std::string(what), "it was changed meanwhile, again and again",
              "end the other worker, or try again")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_detail("pipeline " + key.pipeline)
      .with_detail("table " + table);
}

}  // namespace

struct state_store::parts {
  parts(client c, state_store_options o) : table(std::move(c), std::move(o)) {}

  // Heads that were written or read last, so that a commit need not ask for the one it builds on. They may be out of date.
  struct remembered {
    remembered() = default;

    stored_head head;
    bool tidied = false;  // what dead workers have left is gone
  };
  std::optional<remembered> recall(checkpoint_key const& key) {
    std::lock_guard const held(lock);
    auto const found = heads.find(key);
    if (found == heads.end()) return std::nullopt;
    return found->second;
  }
  void remember(checkpoint_key const& key, stored_head h, bool tidied) {
    std::lock_guard const held(lock);
    auto& kept = heads[key];
    kept.head = std::move(h);
    kept.tidied = kept.tidied || tidied;
  }
  void forget(checkpoint_key const& key) {
    std::lock_guard const held(lock);
    heads.erase(key);
  }

  // What a commit is to write.
  struct plan {
    plan() = default;

    stored_head next;
    std::vector<item> pieces;               // of the segment it adds, if any
    std::vector<detail::segment> replaced;  // by that one
    bool begins_again = false;              // somebody else has committed
  };

  static task<plan> make_plan(std::shared_ptr<parts> self, std::string hash, std::optional<stored_head> before, checkpoint_update update) {
    plan out;
    if (before) out.next = *before;
    else out.next.generation = detail::random_tag();
    out.next.head = update.head;
    out.next.commit = detail::random_tag();
    state_delta changes;
    for (state_change& c : update.changes) changes.add(std::move(c));
    if (changes.empty()) co_return out;
    auto& segments = out.next.segments;
    auto encoded = changes.encode();
    std::size_t const from = detail::merge_from(segments, encoded.size());
    out.replaced.assign(segments.begin() + static_cast<std::ptrdiff_t>(from), segments.end());
    if (!out.replaced.empty() || from == 0) {
      state_delta merged;
      for (detail::segment const& s : out.replaced) {
        std::optional<state_delta> older = co_await self->table.read_segment(hash, s);
        if (!older) {
          out.begins_again = true;
          co_return out;
        }
        merged.add(*std::move(older));
      }
      merged.add(std::move(changes));
      if (from == 0) merged.be_first();
      encoded = merged.encode();
    }
    segments.resize(from);
    detail::segment& added = segments.emplace_back();
    added.id = detail::segment_id(out.next.generation, out.next.head.version);
    out.pieces = detail::split(hash, encoded, added);
    co_return out;
  }

  static task<> commit(std::shared_ptr<parts> self, checkpoint_key key, checkpoint_update update) {
    weir::detail::refuse_writes(key, update);
    std::string const hash = detail::hash_of(key);
    co_await self->table.open();
    std::optional<remembered> known = self->recall(key);
    std::optional<stored_head> before;
    if (known && update.head.version == known->head.head.version + 1) before = known->head;
    else before = co_await self->table.head(key);
    for (unsigned begun = 0; begun != most_beginnings; ++begun) {
      if (weir::detail::judge_commit(key, update, before ? &before->head : nullptr) == commit_verdict::arrived) {
        self->remember(key, *before, false);
        co_return;
      }
      plan p = co_await make_plan(self, hash, before, update);
      bool done = false;
      if (!p.begins_again) done = co_await try_plan(self, key, hash, p, before);
      if (done) co_return;
      self->forget(key);
      std::string const was = before ? before->commit : "";
      before = co_await self->table.head(key);
      if (p.begins_again && before && before->commit == was)
        detail::refuse_stored("a segment of it is missing, or does not match its checksum", key, self->table.name());
      if (before && before->commit == p.next.commit) {  // the answer was lost
        co_await tidy(self, key, hash, p);
        co_return;
      }
      if (!p.pieces.empty()) co_await drop(self, key, hash, p.next.segments.back());
    }
    give_up("commit", key, self->table.name());
  }

  // False: the head is another one by now. It may also be this one, whose answer was lost.
  static task<bool> try_plan(std::shared_ptr<parts> self, checkpoint_key const& key, std::string const& hash, plan const& p,
                             std::optional<stored_head> const& before) {
    std::string was;
    if (before) was = before->commit;
    bool done = false;
    try {
      if (!p.pieces.empty()) co_await self->table.write_pieces(p.pieces);
      done = co_await self->table.replace_head(hash, p.next, std::move(was));
    } catch (...) {
      self->forget(key);
      throw;
    }
    if (done) co_await tidy(self, key, hash, p);
    co_return done;
  }

  // Deletes a segment that will not be named by any head.
  static task<> drop(std::shared_ptr<parts> self, checkpoint_key const& key, std::string const& hash, detail::segment const& s) {
    try {
      std::vector<detail::segment> one(1, s);
      co_await self->table.erase_segments(hash, std::move(one));
    } catch (error const&) {
      self->forget(key);  // so that the next commit looks for what is left
    }
  }

  // Deletes what nobody needs any more. Where that fails, it is as if this worker had died before it: another will.
  static task<> tidy(std::shared_ptr<parts> self, checkpoint_key const& key, std::string const& hash, plan const& p) {
    auto const known = self->recall(key);
    bool const first = !known || !known->tidied;
    bool tidied = true;
    try {
      if (first) {
        std::vector<std::string> found = co_await self->table.parts_of(hash, p.next.generation);
        std::erase_if(found, [&](std::string const& part) { return !detail::is_garbage(part, p.next); });
        co_await self->table.erase_parts(hash, std::move(found));
      } else {
        co_await self->table.erase_segments(hash, p.replaced);
      }
    } catch (error const&) {
      tidied = false;
    }
    if (!tidied) self->forget(key);
    self->remember(key, p.next, tidied);
  }

  static task<std::optional<saved_checkpoint>> load(std::shared_ptr<parts> self, checkpoint_key key) {
    std::string const hash = detail::hash_of(key);
    co_await self->table.open();
    std::optional<stored_head> head = co_await self->table.head(key);
    for (unsigned begun = 0; begun != most_beginnings; ++begun) {
      if (!head) co_return std::nullopt;
      state_delta all;
      bool whole = true;
      for (detail::segment const& s : head->segments) {
        std::optional<state_delta> one = co_await self->table.read_segment(hash, s);
        whole = one.has_value();
        if (!whole) break;
        all.add(*std::move(one));
      }
      if (whole) {
        self->remember(key, *head, false);
        co_return saved_checkpoint(head->head, std::move(all).entries());
      }
      std::optional<stored_head> now = co_await self->table.head(key);
      if (now && now->commit == head->commit)
        detail::refuse_stored("a segment of it is missing, or does not match its checksum", key, self->table.name());
      head = std::move(now);
    }
    give_up("load", key, self->table.name());
  }

  static task<std::vector<checkpoint_listing>> list(std::shared_ptr<parts> self, std::string pipeline) {
    co_await self->table.open();
    std::vector<checkpoint_key> const found = co_await self->table.keys(detail::hash_prefix_of(pipeline));
    std::vector<checkpoint_listing> out;
    for (checkpoint_key const& key : found) {
      std::optional<saved_checkpoint> const c = co_await load(self, key);
      if (!c) continue;  // erased meanwhile
      std::uint64_t bytes = 0;
      for (state_entry const& e : c->entries) bytes += e.operator_id.size() + e.key.size() + e.value.size();
      out.emplace_back(key, c->head, c->entries.size(), bytes);
    }
    co_return out;
  }

  static task<std::vector<checkpoint_key>> keys(std::shared_ptr<parts> self) {
    co_await self->table.open();
    co_return co_await self->table.keys("");
  }

  // Its segments are looked for before the head goes: those of a commit that builds on nothing come after that.
  static task<> erase(std::shared_ptr<parts> self, checkpoint_key key) {
    std::string const hash = detail::hash_of(key);
    co_await self->table.open();
    self->forget(key);
    for (unsigned begun = 0; begun != most_beginnings; ++begun) {
      std::optional<item> const row = co_await self->table.head_row(hash);
      if (!row) co_return;
      auto const text = [&row](char const* name) -> std::optional<std::string> {
        auto const* const found = find(*row, name);
        std::string const* const t = found ? found->as_string() : nullptr;
        if (!t) return std::nullopt;
        return *t;
      };
      std::string const generation = text(detail::generation_name).value_or("");
      std::vector<std::string> segments = co_await self->table.parts_of(hash, generation);
      bool const erased = co_await self->table.erase_head(hash, text(detail::commit_name));
      if (!erased) continue;
      co_await self->table.erase_parts(hash, std::move(segments));
      co_return;
    }
    give_up("erase", key, self->table.name());
  }

  detail::checkpoint_table table;
  std::mutex lock;
  std::map<checkpoint_key, remembered> heads;
};

state_store::state_store(client calls, state_store_options options) {
  if (options.table.empty()) throw error(errc::invalid_option, "dynamodb: cannot make the store", "its table has no name");
  parts_ = std::make_shared<parts>(std::move(calls), std::move(options));
}
state_store::~state_store() = default;

task<std::optional<saved_checkpoint>> state_store::load(checkpoint_key key) {
  weir::detail::to_its_end loaded(parts::load(parts_, std::move(key)));
  co_return co_await loaded;
}

task<> state_store::commit(checkpoint_key key, checkpoint_update update) {
  weir::detail::to_its_end committed(parts::commit(parts_, std::move(key), std::move(update)));
  co_await committed;
}

task<std::vector<checkpoint_listing>> state_store::list(std::string pipeline) {
  weir::detail::to_its_end listed(parts::list(parts_, std::move(pipeline)));
  co_return co_await listed;
}

task<std::vector<checkpoint_key>> state_store::keys() {
  weir::detail::to_its_end found(parts::keys(parts_));
  co_return co_await found;
}

task<> state_store::erase(checkpoint_key key) {
  weir::detail::to_its_end erased(parts::erase(parts_, std::move(key)));
  co_await erased;
}

}  // namespace weir::dynamodb
