#include <weir/barrier.hpp>
#include <weir/error.hpp>

#include <cstdint>
#include <string>

namespace weir {
namespace {

void put(std::vector<std::byte>& to, std::uint64_t n) {
  for (int shift = 0; shift != 64; shift += 8) to.push_back(static_cast<std::byte>(n >> shift & 0xff));
}

std::uint64_t get(std::span<std::byte const>& from, std::uint64_t most) {
  std::uint64_t n = 0;
  if (from.size() < 8) throw error(errc::corrupt, "checkpoint: cannot restore", "its state is cut short");
  for (std::size_t i = 8; i-- != 0;) n = n << 8 | static_cast<std::uint64_t>(from[i]);
  from = from.subspan(8);
  if (n > most) throw error(errc::corrupt, "checkpoint: cannot restore", "its state is damaged: a length beyond its end");
  return n;
}

}  // namespace

std::span<std::byte const> snapshot::take() {
  if (used_up())
    throw error(errc::incompatible, "checkpoint: cannot restore",
                "it has state for " + std::to_string(parts_.size()) + " stages and the pipeline has more",
                "start from a checkpoint of this pipeline, or without one");
  return parts_[taken_++];
}

std::vector<std::byte> snapshot::encode() const {
  std::vector<std::byte> to;
  if (parts_.empty()) return to;
  put(to, parts_.size());
  for (auto const& part : parts_) {
    put(to, part.size());
    to.insert(to.end(), part.begin(), part.end());
  }
  return to;
}

snapshot snapshot::decode(std::span<std::byte const> bytes) {
  snapshot s;
  if (bytes.empty()) return s;
  for (std::uint64_t n = get(bytes, bytes.size() / 8); n != 0; --n) {
    auto const size = static_cast<std::size_t>(get(bytes, bytes.size()));
    s.add().assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    bytes = bytes.subspan(size);
  }
  if (!bytes.empty()) throw error(errc::corrupt, "checkpoint: cannot restore", "its state has bytes after its end");
  return s;
}

}  // namespace weir
