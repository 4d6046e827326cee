#include <weir/kinesis/lease_sync.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace weir::kinesis {
namespace {

// Shards and leases as one family tree.
class family {
public:
  family(std::span<shard const> shards, std::span<lease const> leases) {
    for (shard const& s : shards) {
      shards_.emplace(s.id, &s);
      for (std::string const& p : {s.parent, s.adjacent_parent})
        if (!p.empty()) join(p, s.id);
    }
    for (lease const& l : leases) {
      leases_.emplace(l.key, &l);
      for (std::string const& p : l.parents) join(p, l.key);
      for (std::string const& c : l.children) join(l.key, c);
    }
    for (auto const& [key, l] : leases_) mark_ancestors(key);
  }

  lease const* lease_of(std::string const& id) const { return found(leases_, id); }
  shard const* shard_of(std::string const& id) const { return found(shards_, id); }
  std::set<std::string> const& parents(std::string const& id) const { return all(parents_, id); }
  std::set<std::string> const& children(std::string const& id) const { return all(children_, id); }
  // Whether a shard that it came of has a lease.
  bool has_leased_ancestor(std::string const& id) const {
    std::vector<std::string> rest{id};
    std::set<std::string> seen;
    while (!rest.empty()) {
      std::string const one = std::move(rest.back());
      rest.pop_back();
      for (std::string const& p : parents(one)) {
        if (lease_of(p)) return true;
        if (seen.insert(p).second) rest.push_back(p);
      }
    }
    return false;
  }
  bool is_known(std::string const& id) const { return lease_of(id) || shard_of(id); }
  // Nothing of it is left to be read.
  bool is_done(std::string const& id) const {
    if (lease const* const l = lease_of(id)) return l->checkpoint.ended();
    return has_leased_descendant_.contains(id) || !shard_of(id);
  }

private:
  template <class T> static T const* found(std::map<std::string, T const*> const& in, std::string const& id) {
    auto const at = in.find(id);
    return at == in.end() ? nullptr : at->second;
  }
  static std::set<std::string> const& all(std::map<std::string, std::set<std::string>> const& in, std::string const& id) {
    static std::set<std::string> const none;
    auto const at = in.find(id);
    return at == in.end() ? none : at->second;
  }
  void join(std::string const& parent, std::string const& child) {
    parents_[child].insert(parent);
    children_[parent].insert(child);
  }
  // Of a shard with a lease; without recursion, since a stream may have been split for years.
  void mark_ancestors(std::string const& id) {
    std::vector<std::string> rest(parents(id).begin(), parents(id).end());
    while (!rest.empty()) {
      std::string const one = std::move(rest.back());
      rest.pop_back();
      if (!has_leased_descendant_.insert(one).second) continue;
      rest.insert(rest.end(), parents(one).begin(), parents(one).end());
    }
  }

  std::map<std::string, shard const*> shards_;
  std::map<std::string, lease const*> leases_;
  std::map<std::string, std::set<std::string>> parents_, children_;
  std::set<std::string> has_leased_descendant_;
};

lease lease_for(shard const& s, lease_checkpoint from) {
  lease out;
  out.key = s.id;
  out.checkpoint = std::move(from);
  for (std::string const& p : {s.parent, s.adjacent_parent})
    if (!p.empty()) out.parents.insert(p);
  out.keys = s.keys;
  return out;
}

lease_checkpoint start_of(family const& all, shard const& s, bool is_first_sync, lease_checkpoint const& first) {
  bool const has_parents = std::ranges::any_of(all.parents(s.id), [&](std::string const& p) { return all.is_known(p); });
  if (first.what() == lease_checkpoint::kind::at_timestamp || (is_first_sync && !has_parents)) return first;
  return lease_checkpoint::trim_horizon();
}

bool has_begun_children(family const& all, std::string const& id) {
  auto const& children = all.children(id);
  return !children.empty() && std::ranges::all_of(children, [&](std::string const& c) {
    lease const* const l = all.lease_of(c);
    return l && l->checkpoint.begun();
  });
}

}  // namespace

lease_changes compare_leases(std::span<shard const> shards, std::span<lease const> leases, lease_checkpoint const& first) {
  family const all(shards, leases);
  lease_changes out;
  bool const is_first_sync = leases.empty();
  // Another worker may be about it, or one has died in the middle of it.
  bool const is_unbegun = std::ranges::all_of(leases, [&](lease const& l) { return l.checkpoint == first; });
  bool const from_now_on = is_unbegun && first.what() == lease_checkpoint::kind::latest;
  for (shard const& s : shards) {
    if (all.lease_of(s.id)) continue;
    if (from_now_on && !all.has_leased_ancestor(s.id)) {
      if (!s.closed) out.create.push_back(lease_for(s, first));
      continue;
    }
    auto const& parents = all.parents(s.id);
    if (all.is_done(s.id) || !std::ranges::all_of(parents, [&](std::string const& p) { return all.is_done(p); })) continue;
    out.create.push_back(lease_for(s, start_of(all, s, is_first_sync, first)));
  }
  for (lease const& l : leases) {
    if (!l.checkpoint.ended()) {
      if (!all.shard_of(l.key)) out.vanished.push_back(l.key);
    } else if (has_begun_children(all, l.key)) {
      out.erase.push_back(l);
    }
  }
  return out;
}

bool parents_have_ended(lease const& of, std::span<lease const> all) {
  return std::ranges::none_of(all, [&](lease const& l) { return of.parents.contains(l.key) && !l.checkpoint.ended(); });
}

}  // namespace weir::kinesis
