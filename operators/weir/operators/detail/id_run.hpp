#pragma once
#include <weir/operators/detail/digest_filter.hpp>
#include <weir/read_through.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// The last blocks that were read, so that an id which comes again and again is read once.
class block_cache {
public:
  // The block of this name. Throws errc::corrupt when there is none. Good until the next call.
  std::span<std::byte const> find(std::string const& name, std::uint64_t hash, read_through const& stored);
  // In bytes.
  std::size_t memory() const noexcept { return sizeof(*this) + block_bytes_; }

private:
  struct cached {
    std::string name;
    std::vector<std::byte> bytes;
  };
  std::array<cached, 64> blocks_;
  std::size_t block_bytes_ = 0;
};

// Ids that have left memory together: blocks in the store, by the upper bits of the ids' digests, and what is in memory of them.
class id_run {
public:
  id_run(std::string name, std::size_t ids, unsigned block_bits, digest_filter f)
      : name_(std::move(name)), ids_(ids), block_bits_(block_bits), filter_(std::move(f)) {}
  std::size_t size() const noexcept { return ids_; }
  digest_filter const& filter() const noexcept { return filter_; }
  std::uint64_t block_of(std::uint64_t digest) const noexcept { return block_bits_ == 0 ? 0 : digest >> (64 - block_bits_); }
  std::uint64_t blocks() const noexcept { return std::uint64_t{1} << block_bits_; }
  // What the entry of a block is called.
  std::string block_name(std::uint64_t block) const;
  // How many of the upper bits tell blocks of about `per_block` ids apart.
  static unsigned bits_for(std::size_t ids, std::size_t per_block) noexcept;

  // What of it stays in memory.
  void save(std::vector<std::byte>& to) const;
  static id_run restored(std::string name, std::span<std::byte const> from);

private:
  std::string name_;
  std::size_t ids_;
  unsigned block_bits_;
  digest_filter filter_;
};

}  // namespace weir::detail
