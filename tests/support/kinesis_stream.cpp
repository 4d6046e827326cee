#include "support/kinesis_stream.hpp"

#include "support/refusal.hpp"

#include <weir/kinesis/sequence_number.hpp>
#include <weir/position.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace weir::test {
namespace {

__extension__ using wide = unsigned __int128;

wide number_of(kinesis::hash_key const& k) {
  wide out = 0;
  for (char const c : k.text()) out = out * 10 + static_cast<unsigned>(c - '0');
  return out;
}
kinesis::hash_key key_of(wide n) { return {static_cast<std::uint64_t>(n >> 64), static_cast<std::uint64_t>(n)}; }
wide width(kinesis::hash_key_range const& r) { return number_of(r.last) - number_of(r.first); }

// As the real ones look: 186 bits that begin with binary 10, then when the shard was made, the record's number in the stream, the shard.
std::uint64_t second_of(instant t) { return static_cast<std::uint64_t>(t / 1'000'000'000); }

}  // namespace

kinesis::hash_key middle_of(kinesis::hash_key_range const& keys) { return key_of(number_of(keys.first) + width(keys) / 2 + 1); }

std::string kinesis_stream::shard::id() const {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "shardId-%012zu", index);
  return text.data();
}

std::string kinesis_stream::shard::sequence_number(std::uint64_t number) const {
  return kinesis::sequence_number_of(
      position(std::uint64_t{2} << 56 | second_of(created) << 20, number << 16, std::uint64_t{index} << 4 | 2, 0));
}

std::optional<std::uint64_t> kinesis_stream::shard::number_of(std::string_view sequence_number) const {
  auto const p = kinesis::position_of(sequence_number);
  if (!p || this->sequence_number((*p)[1] >> 16) != sequence_number) return std::nullopt;
  return (*p)[1] >> 16;
}

kinesis_stream::kinesis_stream(std::string name, std::size_t shards, instant now) : name_(std::move(name)), created_(now) {
  wide const step = ~wide{0} / shards;
  for (std::size_t i = 0; i != shards; ++i)
    add({key_of(step * i + (i == 0 ? 0 : 1)), i + 1 == shards ? kinesis::hash_key::last() : key_of(step * (i + 1))}, {}, now);
}

kinesis_stream::shard& kinesis_stream::add(kinesis::hash_key_range keys, std::vector<std::size_t> parents, instant now) {
  shard s;
  s.index = shards_.size();
  s.keys = keys;
  s.created = now;
  s.first = next_++;
  for (std::size_t const p : parents) shards_[p].children.push_back(s.index);
  s.parents = std::move(parents);
  return shards_.emplace_back(std::move(s));
}

void kinesis_stream::close(shard& s, instant now) {
  s.closed = now;
  s.last = next_++;
}

kinesis_stream::shard const& kinesis_stream::at(std::string_view shard_id) const {
  auto const found = std::ranges::find_if(shards_, [&](shard const& s) { return s.id() == shard_id; });
  if (found == shards_.end() || found->gone)
    throw refusal("ResourceNotFoundException",
                  "Shard " + std::string(shard_id) + " in stream " + name_ + " under account 000000000000 does not exist");
  return *found;
}

std::vector<std::size_t> kinesis_stream::open() const {
  std::vector<std::size_t> out;
  for (shard const& s : shards_)
    if (!s.closed) out.push_back(s.index);
  std::ranges::sort(out, {}, [&](std::size_t i) { return shards_[i].keys.first; });
  return out;
}

std::size_t kinesis_stream::open_index(std::string_view shard_id) const {
  shard const& s = at(shard_id);
  if (s.closed) throw refusal("InvalidArgumentException", "Shard " + s.id() + " is not open.");
  return s.index;
}

std::size_t kinesis_stream::owner_of(kinesis::hash_key key) const {
  return std::ranges::find_if(shards_, [&](shard const& s) { return !s.closed && s.keys.has(key); })->index;
}

kinesis_stream::record const& kinesis_stream::put(std::size_t into, std::string partition_key, std::string data, instant now) {
  return shards_.at(into).records.emplace_back(record{next_++, now, std::move(partition_key), std::move(data)});
}

void kinesis_stream::split(std::string_view shard_id, kinesis::hash_key at, instant now) {
  std::size_t const i = open_index(shard_id);
  kinesis::hash_key_range const keys = shards_[i].keys;
  if (!keys.has(at) || at == keys.first)
    throw refusal("InvalidArgumentException",
                  "NewStartingHashKey " + at.text() + " used in SplitShard() is not valid for " + std::string(shard_id) + ".");
  close(shards_[i], now);
  add({keys.first, key_of(number_of(at) - 1)}, {i}, now);
  add({at, keys.last}, {i}, now);
}

void kinesis_stream::merge(std::string_view shard_id, std::string_view adjacent_id, instant now) {
  std::size_t const a = open_index(shard_id), b = open_index(adjacent_id);
  auto const [low, high] = std::minmax(shards_[a].keys, shards_[b].keys, [](auto const& x, auto const& y) { return x.first < y.first; });
  kinesis::hash_key_range const both{low.first, high.last};
  if (a == b || number_of(low.last) + 1 != number_of(high.first))
    throw refusal("InvalidArgumentException",
                  "Shards " + std::string(shard_id) + " and " + std::string(adjacent_id) + " are not adjacent.");
  close(shards_[a], now);
  close(shards_[b], now);
  add(both, {a, b}, now);
}

void kinesis_stream::set_count(std::size_t target, instant now) {
  std::size_t const before = open().size();
  if (target == 0 || target > before * 2 || target * 2 < before)
    throw refusal("InvalidArgumentException",
                  "UpdateShardCount cannot scale from " + std::to_string(before) + " to " + std::to_string(target) + " shards.");
  for (auto all = open(); all.size() < target; all = open()) {
    std::size_t const widest = *std::ranges::max_element(all, {}, [&](std::size_t i) { return width(shards_[i].keys); });
    split(shards_[widest].id(), middle_of(shards_[widest].keys), now);
  }
  for (auto all = open(); all.size() > target; all = open()) {
    std::size_t best = 0;
    auto const pair = [&](std::size_t i) { return width(shards_[all[i]].keys) / 2 + width(shards_[all[i + 1]].keys) / 2; };
    for (std::size_t i = 1; i + 1 < all.size(); ++i)
      if (pair(i) < pair(best)) best = i;
    merge(shards_[all[best]].id(), shards_[all[best + 1]].id(), now);
  }
}

void kinesis_stream::trim(instant horizon) {
  for (shard& s : shards_) {
    while (!s.records.empty() && s.records.front().arrival < horizon) s.records.pop_front();
    if (s.closed && *s.closed < horizon && s.records.empty()) s.gone = true;
  }
}

}  // namespace weir::test
