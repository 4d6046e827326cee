#include <weir/kinesis/lease_balance.hpp>

#include <algorithm>
#include <map>

namespace weir::kinesis {
namespace {

// `n` of them, any.
std::vector<lease const*> some_of(std::vector<lease const*> from, std::size_t n, std::mt19937_64& dice) {
  std::ranges::shuffle(from, dice);
  from.resize(std::min(n, from.size()));
  return from;
}

}  // namespace

lease_choice choose_leases(std::string const& worker, std::vector<lease_sight> const& all, lease_options const& o, std::mt19937_64& dice) {
  std::map<std::string, std::vector<lease const*>> held{{worker, {}}};
  std::vector<lease const*> free;
  for (lease_sight const& s : all) (s.holder.empty() ? free : held[s.holder]).push_back(s.of);
  std::size_t const share = (all.size() + held.size() - 1) / held.size();
  std::size_t const mine = held[worker].size(), wanted = std::min(share, o.most_leases);
  lease_choice out;
  if (mine >= wanted) return out;
  if (!free.empty()) {
    out.take = some_of(std::move(free), wanted - mine, dice);
    return out;
  }
  auto const most = std::ranges::max_element(held, {}, [](auto const& each) { return each.second.size(); });
  std::size_t const theirs = most->second.size();
  if (theirs < mine + 2) return out;
  std::size_t const number = std::min({wanted - mine, std::max<std::size_t>(1, theirs - std::min(theirs, share)), o.most_stolen});
  std::vector<lease const*> stealable = most->second;
  std::erase_if(stealable, [](lease const* l) { return !l->checkpoint_owner.empty(); });
  out.steal = some_of(std::move(stealable), number, dice);
  return out;
}

}  // namespace weir::kinesis
