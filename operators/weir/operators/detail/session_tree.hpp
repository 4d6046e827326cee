#pragma once
#include <weir/instant.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/detail/stable_hash.hpp>

#include <cstdint>

// The sessions of one key by start: a treap over slots of a pool, so that a key with one session has nothing but its slot, and one with
// thousands finds its way in O(log n). Sessions have `first`, `seq` (which makes their priority), `left` and `right`; they do not overlap,
// so one may grow in place. Source: Seidel, Aragon, "Randomized search trees", Algorithmica 16 (1996).
namespace weir::detail {

struct session_neighbours {
  std::uint32_t before = no_slot;  // the last that starts at t or before it
  std::uint32_t behind = no_slot;  // the first that starts after t
};

template <class Pool> session_neighbours sessions_around(Pool const& pool, std::uint32_t root, instant t) noexcept {
  session_neighbours found;
  while (root != no_slot) {
    auto const& s = pool[root];
    if (s.first <= t) {
      found.before = root;
      root = s.right;
    } else {
      found.behind = root;
      root = s.left;
    }
  }
  return found;
}

template <class Pool> bool above_in_tree(Pool const& pool, std::uint32_t a, std::uint32_t b) noexcept {
  return splitmix64(pool[a].seq) > splitmix64(pool[b].seq);
}

template <class Pool> void insert_session(Pool& pool, std::uint32_t& root, std::uint32_t slot) noexcept {
  auto& fresh = pool[slot];
  std::uint32_t* link = &root;
  while (*link != no_slot && !above_in_tree(pool, slot, *link)) {
    auto& s = pool[*link];
    link = fresh.first < s.first ? &s.left : &s.right;
  }
  // What was here is split into what lies before the one that comes and what lies behind it.
  std::uint32_t rest = *link;
  std::uint32_t *left = &fresh.left, *right = &fresh.right;
  while (rest != no_slot) {
    auto& s = pool[rest];
    if (s.first < fresh.first) {
      *left = rest;
      left = &s.right;
      rest = *left;
    } else {
      *right = rest;
      right = &s.left;
      rest = *right;
    }
  }
  *left = *right = no_slot;
  *link = slot;
}

template <class Pool> void erase_session(Pool& pool, std::uint32_t& root, std::uint32_t slot) noexcept {
  auto& gone = pool[slot];
  std::uint32_t* link = &root;
  while (*link != slot) {
    auto& s = pool[*link];
    link = gone.first < s.first ? &s.left : &s.right;
  }
  std::uint32_t left = gone.left, right = gone.right;
  while (left != no_slot && right != no_slot) {
    if (above_in_tree(pool, left, right)) {
      *link = left;
      link = &pool[left].right;
      left = *link;
    } else {
      *link = right;
      link = &pool[right].left;
      right = *link;
    }
  }
  *link = left != no_slot ? left : right;
}

// f(session) for each, by start. Recursion is as deep as the tree.
template <class Pool, class F> void each_session(Pool const& pool, std::uint32_t root, F const& f) {
  if (root == no_slot) return;
  each_session(pool, pool[root].left, f);
  f(pool[root]);
  each_session(pool, pool[root].right, f);
}

}  // namespace weir::detail
