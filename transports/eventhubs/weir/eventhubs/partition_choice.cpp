#include <weir/eventhubs/partition_choice.hpp>

#include <algorithm>
#include <map>

namespace weir::eventhubs {

std::vector<std::string> choose_partitions(std::string const& consumer, std::vector<partition_sight> const& all, balancer_options const& o,
                                           std::mt19937_64& dice) {
  std::map<std::string, std::vector<std::string>> held{{consumer, {}}};
  std::vector<std::string> out;
  for (partition_sight const& s : all) {
    if (s.free) out.push_back(s.partition);
    else if (!s.holder.empty()) held[s.holder].push_back(s.partition);
  }
  std::size_t const share = (all.size() + held.size() - 1) / held.size();
  std::size_t const mine = held[consumer].size(), wanted = std::min(share, o.most_partitions);
  if (mine >= wanted) return {};
  std::size_t const most = o.strategy == balancing::balanced ? 1 : wanted - mine;
  std::ranges::shuffle(out, dice);
  if (!out.empty()) {
    out.resize(std::min(most, out.size()));
    return out;
  }
  while (out.size() != most) {
    auto const richest = std::ranges::max_element(held, {}, [](auto const& each) { return each.second.size(); });
    std::vector<std::string>& theirs = richest->second;
    if (theirs.size() < mine + out.size() + 2) break;
    auto const which = static_cast<std::ptrdiff_t>(std::uniform_int_distribution<std::size_t>(0, theirs.size() - 1)(dice));
    out.push_back(std::move(theirs[static_cast<std::size_t>(which)]));
    theirs.erase(theirs.begin() + which);
  }
  return out;
}

}  // namespace weir::eventhubs
