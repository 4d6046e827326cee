#include <weir/kinesis/lease_coverage.hpp>

#include <algorithm>

namespace weir::kinesis {

std::vector<hash_key_range> uncovered_hash_keys(std::span<lease const> leases) {
  std::vector<hash_key_range> open;
  for (lease const& l : leases) {
    if (l.checkpoint.ended()) continue;
    if (!l.keys) return {};
    open.push_back(*l.keys);
  }
  std::ranges::sort(open, {}, &hash_key_range::first);
  std::vector<hash_key_range> out;
  hash_key next;  // the first key that is not covered yet
  for (hash_key_range const& r : open) {
    if (next < r.first) {
      hash_key_range hole;
      hole.first = next;
      hole.last = r.first.previous();
      out.push_back(hole);
    }
    if (r.last == hash_key::last()) return out;
    next = std::max(next, r.last.next());
  }
  hash_key_range rest;
  rest.first = next;
  out.push_back(rest);
  return out;
}

}  // namespace weir::kinesis
