#include <weir/operators/detail/id_run.hpp>

#include <weir/codec.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>

namespace weir::detail {

std::span<std::byte const> block_cache::find(std::string const& name, std::uint64_t hash, read_through const& stored) {
  cached& c = blocks_[hash % blocks_.size()];
  if (c.name == name) return c.bytes;
  c.name.clear();
  auto bytes = stored.read(name);
  if (!bytes) throw_damaged_state("dedup", "a block of ids is missing in the store");
  block_bytes_ += bytes->capacity() - c.bytes.capacity();
  c.bytes = std::move(*bytes);
  c.name = name;
  return c.bytes;
}

std::string id_run::block_name(std::uint64_t block) const {
  std::string name = name_;
  put_in_name(name, block);
  return name;
}

unsigned id_run::bits_for(std::size_t ids, std::size_t per_block) noexcept {
  unsigned bits = 0;
  for (std::size_t blocks = ids / per_block; blocks > 1; blocks /= 2) ++bits;
  return bits;
}

void id_run::save(std::vector<std::byte>& to) const {
  encode_state(std::uint64_t{ids_}, to);
  encode_state(std::uint64_t{block_bits_}, to);
  filter_.save(to);
}

id_run id_run::restored(std::string name, std::span<std::byte const> from) {
  auto const ids = decode_part<std::uint64_t>(from);
  auto const bits = decode_part<std::uint64_t>(from);
  if (bits >= 64) throw_damaged_state("dedup", "it has more blocks of ids than there can be");
  digest_filter filter = digest_filter::restored("dedup", from);
  if (!from.empty()) throw_state_left_over();
  return {std::move(name), ids, static_cast<unsigned>(bits), std::move(filter)};
}

}  // namespace weir::detail
