#include <weir/postgres/detail/net_changes.hpp>

#include <map>

namespace weir::postgres::detail {

net_changes::net_changes(std::span<state_change const> changes) {
  std::map<name, state_change const*> last;  // std::string_view compares bytes
  for (state_change const& c : changes) {
    name const at(c.entry.operator_id, c.entry.key);
    if (c.kind != state_change_kind::erase_prefix) {
      last.insert_or_assign(at, &c);
      continue;
    }
    for (auto i = last.lower_bound(at); i != last.end() && i->first.first == at.first && i->first.second.starts_with(at.second);)
      i = last.erase(i);
    prefixes.push_back(at);
  }
  for (auto const& [at, c] : last)
    if (c->kind == state_change_kind::put) put.push_back(&c->entry);
    else erased.push_back(at);
}

std::string end_of_prefix(std::string_view prefix) {
  std::string out(prefix);
  while (out.ends_with('\xff')) out.pop_back();
  if (!out.empty()) out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) + 1);
  return out;
}

}  // namespace weir::postgres::detail
