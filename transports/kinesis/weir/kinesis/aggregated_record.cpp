#include <weir/kinesis/aggregated_record.hpp>

#include <weir/net/hashes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::kinesis {
namespace {

constexpr std::string_view magic("\xf3\x89\x9a\xc2", 4);
constexpr std::size_t checksum = 16;

// A message of Protocol Buffers, field by field. Source: protobuf.dev, "Encoding".
class fields {
public:
  explicit fields(std::string_view bytes) noexcept : left_(bytes) {}

  // False at the end, and when the bytes are not such a message (`broken`).
  bool next() {
    if (left_.empty() || broken_) return false;
    std::uint64_t const tag = varint();
    number_ = tag >> 3;
    type_ = tag & 7;
    switch (type_) {
      case 0: value_ = varint(); break;
      case 1: take(8); break;
      case 2: bytes_ = take(varint()); break;
      case 5: take(4); break;
      default: broken_ = true;  // groups, which proto2 has no more, and others
    }
    return !broken_;
  }
  bool broken() const noexcept { return broken_; }
  bool is_bytes(std::uint64_t number) const noexcept { return number_ == number && type_ == 2; }
  bool is_number(std::uint64_t number) const noexcept { return number_ == number && type_ == 0; }
  std::string_view bytes() const noexcept { return bytes_; }
  std::uint64_t value() const noexcept { return value_; }

private:
  std::uint64_t varint() {
    std::uint64_t out = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      std::string_view const byte = take(1);
      if (broken_) return 0;
      auto const bits = static_cast<unsigned char>(byte.front());
      out |= static_cast<std::uint64_t>(bits & 0x7f) << shift;
      if ((bits & 0x80) == 0) return out;
    }
    broken_ = true;
    return 0;
  }
  std::string_view take(std::uint64_t n) {
    if (n > left_.size()) {
      broken_ = true;
      return {};
    }
    std::string_view const out = left_.substr(0, static_cast<std::size_t>(n));
    left_.remove_prefix(out.size());
    return out;
  }

  std::string_view left_, bytes_;
  std::uint64_t number_ = 0, type_ = 0, value_ = 0;
  bool broken_ = false;
};

using table = std::vector<std::string_view>;

std::optional<inner_record> read_record(std::string_view bytes, table const& partition_keys, table const& hash_keys) {
  std::optional<std::uint64_t> key, hash;
  std::optional<std::string_view> data;
  fields f(bytes);
  while (f.next()) {
    if (f.is_number(1)) key = f.value();
    else if (f.is_number(2)) hash = f.value();
    else if (f.is_bytes(3)) data = f.bytes();
  }
  if (f.broken() || !key || !data || *key >= partition_keys.size() || (hash && *hash >= hash_keys.size())) return std::nullopt;
  inner_record out;
  out.partition_key = partition_keys[static_cast<std::size_t>(*key)];
  if (hash) out.explicit_hash_key = hash_keys[static_cast<std::size_t>(*hash)];
  out.data = *data;
  return out;
}

void append_varint(std::string& to, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) to += static_cast<char>((n & 0x7f) | 0x80);
  to += static_cast<char>(n);
}
void append_number(std::string& to, unsigned field, std::uint64_t n) {
  append_varint(to, std::uint64_t{field} << 3);
  append_varint(to, n);
}
void append_bytes(std::string& to, unsigned field, std::string_view bytes) {
  append_varint(to, std::uint64_t{field} << 3 | 2);
  append_varint(to, bytes.size());
  to += bytes;
}
// Where it stands in the table, at whose end it is put when it is not there.
std::size_t index_in(std::vector<std::string>& all, std::string const& one) {
  auto const at = static_cast<std::size_t>(std::ranges::find(all, one) - all.begin());
  if (at == all.size()) all.push_back(one);
  return at;
}

}  // namespace

std::optional<std::vector<inner_record>> read_aggregated(std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() <= magic.size() + checksum) return std::nullopt;
  std::string_view const message = bytes.substr(magic.size(), bytes.size() - magic.size() - checksum);
  if (net::bytes_of(net::md5(message)) != bytes.substr(bytes.size() - checksum)) return std::nullopt;
  table partition_keys, hash_keys, records;
  fields f(message);
  while (f.next()) {
    if (f.is_bytes(1)) partition_keys.push_back(f.bytes());
    else if (f.is_bytes(2)) hash_keys.push_back(f.bytes());
    else if (f.is_bytes(3)) records.push_back(f.bytes());
  }
  if (f.broken()) return std::nullopt;
  std::vector<inner_record> out;
  out.reserve(records.size());
  for (std::string_view const r : records) {
    auto const one = read_record(r, partition_keys, hash_keys);
    if (!one) return std::nullopt;
    out.push_back(*one);
  }
  return out;
}

std::string write_aggregated(std::span<outgoing_record const> records) {
  std::vector<std::string> keys, hash_keys;
  std::string inner, one;
  for (outgoing_record const& r : records) {
    one.clear();
    append_number(one, 1, index_in(keys, r.partition_key));
    if (r.explicit_hash_key) append_number(one, 2, index_in(hash_keys, r.explicit_hash_key->text()));
    append_bytes(one, 3, r.data);
    append_bytes(inner, 3, one);
  }
  std::string out(magic);
  for (std::string const& key : keys) append_bytes(out, 1, key);
  for (std::string const& key : hash_keys) append_bytes(out, 2, key);
  out += inner;
  out += net::bytes_of(net::md5(std::string_view(out).substr(magic.size())));
  return out;
}

}  // namespace weir::kinesis
