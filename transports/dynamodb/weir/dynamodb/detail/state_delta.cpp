#include <weir/dynamodb/detail/state_delta.hpp>

#include <weir/codec.hpp>

#include <algorithm>
#include <span>

namespace weir::dynamodb::detail {

void state_delta::erase_prefix(name prefix) {
  for (auto i = values_.lower_bound(prefix);
       i != values_.end() && i->first.first == prefix.first && i->first.second.starts_with(prefix.second);)
    i = values_.erase(i);
  if (std::ranges::find(prefixes_, prefix) == prefixes_.end()) prefixes_.push_back(std::move(prefix));
}

void state_delta::add(state_change c) {
  name at(std::move(c.entry.operator_id), std::move(c.entry.key));
  switch (c.kind) {
    case state_change_kind::put: values_.insert_or_assign(std::move(at), std::move(c.entry.value)); break;
    case state_change_kind::erase: values_.insert_or_assign(std::move(at), std::nullopt); break;
    case state_change_kind::erase_prefix: erase_prefix(std::move(at)); break;
  }
}

void state_delta::add(state_delta later) {
  for (name& p : later.prefixes_) erase_prefix(std::move(p));
  for (auto& [at, value] : later.values_) values_.insert_or_assign(at, std::move(value));
}

void state_delta::be_first() {
  prefixes_.clear();
  std::erase_if(values_, [](auto const& each) { return !each.second; });
}

std::vector<std::byte> state_delta::encode() const {
  std::vector<std::byte> out;
  encode_state(prefixes_, out);
  encode_state(values_, out);
  return out;
}

state_delta state_delta::decode(std::vector<std::byte> const& bytes) {
  state_delta out;
  std::span<std::byte const> rest(bytes);
  out.prefixes_ = decode_part<std::vector<name>>(rest);
  out.values_ = decode_state<std::map<name, std::optional<std::vector<std::byte>>>>(rest);
  return out;
}

std::vector<state_entry> state_delta::entries() && {
  std::vector<state_entry> out;
  out.reserve(values_.size());
  for (auto& [at, value] : values_)
    if (value) out.emplace_back(at.first, at.second, *std::move(value));
  return out;
}

}  // namespace weir::dynamodb::detail
