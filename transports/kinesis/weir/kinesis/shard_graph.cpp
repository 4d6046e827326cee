#include <weir/kinesis/shard_graph.hpp>

#include <algorithm>
#include <utility>

namespace weir::kinesis {

shard_graph::node* shard_graph::at(std::string const& id) noexcept {
  auto const found = all_.find(id);
  return found == all_.end() ? nullptr : &found->second;
}

// Those that are known; the others are gone.
template <class Visit> void shard_graph::each_parent(node const& n, Visit visit) {
  for (std::string const* const id : {&n.what.parent, &n.what.adjacent_parent})
    if (node* const p = id->empty() ? nullptr : at(*id); p && p != &n) visit(*p);
}

bool shard_graph::parents_done(node const& n) {
  bool done = true;
  each_parent(n, [&](node const& p) { done = done && p.is == state::done; });
  return done;
}

void shard_graph::look_at_children(node const& n) { candidates_.insert(candidates_.end(), n.children.begin(), n.children.end()); }

void shard_graph::update(std::vector<shard> const& listed) {
  ++listings_;
  std::vector<node*> fresh;
  for (shard const& s : listed) {
    auto const [place, inserted] = all_.try_emplace(s.id);
    node& n = place->second;
    n.what = s;
    n.listing = listings_;
    if (!inserted) continue;
    n.follows = listings_ > 1;
    fresh.push_back(&n);
    unknown_.push_back(s.id);
  }
  for (node* const n : fresh) each_parent(*n, [&](node& p) { p.children.push_back(n->what.id); });
  forget_unlisted();
}

void shard_graph::forget_unlisted() {
  for (auto i = all_.begin(); i != all_.end();) {
    node const& n = i->second;
    if (n.listing == listings_ || n.is == state::reading) {
      ++i;
      continue;
    }
    if (n.is == state::waiting || n.is == state::halted) missed_.push_back(i->first);
    look_at_children(n);
    std::erase(unknown_, i->first);
    remember(n.what);
    i = all_.erase(i);
  }
}

void shard_graph::set_progress(std::string const& id, shard_progress p) {
  if (node* const n = at(id)) n->progress = p;
}

// What came of it is not the first of its kind.
void shard_graph::pass_on(node& n) {
  std::vector<node*> left{&n};
  while (!left.empty()) {
    node& next = *left.back();
    left.pop_back();
    for (std::string const& id : next.children) {
      node* const child = at(id);
      if (!child || std::exchange(child->follows, true)) continue;
      left.push_back(child);
    }
  }
}

// What it came of is done, or it had not been begun.
void shard_graph::pass_back(node const& n) {
  std::vector<node const*> left{&n};
  while (!left.empty()) {
    node const& next = *left.back();
    left.pop_back();
    each_parent(next, [&](node& p) {
      if (&p == &n || (p.is != state::unknown && p.is != state::waiting)) return;
      p.is = state::done;
      look_at_children(p);
      left.push_back(&p);
    });
  }
}

void shard_graph::settle() {
  for (std::string const& id : unknown_) {
    node& n = *at(id);
    if (n.progress == shard_progress::finished) n.is = state::done;
    if (n.progress == shard_progress::none) continue;
    pass_on(n);
    pass_back(n);
  }
  bool const at_tip = start_.which() == starting_position::type::latest;
  for (std::string const& id : unknown_) {
    node& n = *at(id);
    if (n.is != state::unknown) continue;
    bool const left_out = at_tip && n.what.closed && !n.follows && n.progress == shard_progress::none;
    n.is = left_out ? state::done : state::waiting;
  }
  candidates_.insert(candidates_.end(), unknown_.begin(), unknown_.end());
  unknown_.clear();
}

std::vector<std::string> shard_graph::take_readable() {
  if (!unknown_.empty()) settle();
  std::vector<std::string> out;
  for (std::string& id : std::exchange(candidates_, {})) {
    node* const n = at(id);
    if (!n || n->is != state::waiting || !parents_done(*n)) continue;
    n->is = state::reading;
    out.push_back(std::move(id));
  }
  return out;
}

void shard_graph::finish(std::string const& id) {
  node* const n = at(id);
  if (!n) return;
  n->is = state::done;
  look_at_children(*n);
}

void shard_graph::halt(std::string const& id) {
  if (node* const n = at(id)) n->is = state::halted;
}

shard const* shard_graph::find(std::string const& id) const noexcept {
  auto const found = all_.find(id);
  return found == all_.end() ? nullptr : &found->second.what;
}

shard const* shard_graph::recall(std::string const& id) const noexcept {
  if (shard const* const s = find(id)) return s;
  auto const found = gone_.find(id);
  return found == gone_.end() ? nullptr : &found->second;
}

void shard_graph::remember(shard s) {
  constexpr std::size_t most = 10'000;
  std::string id = s.id;
  gone_.insert_or_assign(std::move(id), std::move(s));
  if (gone_.size() > most) gone_.erase(gone_.begin());
}

std::vector<std::string> shard_graph::heirs_of(std::string const& id) const {
  auto const found = all_.find(id);
  if (found == all_.end()) return {};
  std::vector<shard const*> children;
  for (std::string const& child : found->second.children)
    if (shard const* const s = recall(child)) children.push_back(s);
  std::ranges::sort(children, {}, [](shard const* s) { return s->keys.first; });
  std::vector<std::string> out;
  hash_key next = found->second.what.keys.first;  // all in front of it is theirs
  for (shard const* const s : children) {
    if (s->keys.first > next) return {};
    out.push_back(s->id);
    if (s->keys.last >= found->second.what.keys.last) return out;
    next = s->keys.last.next();
  }
  return {};
}

bool shard_graph::is_first_of(std::string const& parent, std::string const& id) const {
  shard const* const me = recall(id);
  if (!me) return true;
  if (shard const* const p = recall(parent)) return me->keys.has(p->keys.first);
  auto const in_front = [&](shard const& s) {
    return (s.parent == parent || s.adjacent_parent == parent) && s.keys.first < me->keys.first;
  };
  return std::ranges::none_of(all_, [&](auto const& one) { return in_front(one.second.what); }) &&
         std::ranges::none_of(gone_, [&](auto const& one) { return in_front(one.second); });
}

starting_position shard_graph::start_of(std::string const& id) const {
  auto const found = all_.find(id);
  bool const first = found != all_.end() && !found->second.follows;
  return first || start_.which() == starting_position::type::at_timestamp ? start_ : starting_position::trim_horizon();
}

std::vector<std::string> shard_graph::ids() const {
  std::vector<std::string> out;
  out.reserve(all_.size());
  for (auto const& [id, n] : all_) out.push_back(id);
  std::ranges::sort(out);
  return out;
}

std::vector<hash_key_range> shard_graph::unread() const {
  std::vector<hash_key_range> taken, out;
  for (auto const& [id, n] : all_)
    if (n.is != state::done && n.is != state::halted) taken.push_back(n.what.keys);
  std::ranges::sort(taken, {}, &hash_key_range::first);
  hash_key next;  // all in front of it is read
  for (hash_key_range const& r : taken) {
    if (r.first > next) out.push_back({next, r.first.previous()});
    if (r.last == hash_key::last()) return out;
    next = std::max(next, r.last.next());
  }
  out.push_back({next, hash_key::last()});
  return out;
}

}  // namespace weir::kinesis
