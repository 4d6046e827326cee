#include <weir/kinesis/record_unpacker.hpp>

#include <weir/kinesis/sequence_number.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace weir::kinesis {

void record_unpacker::take(record_batch batch) {
  take_back();
  records_.clear();
  batch_ = std::move(batch);
  next_ = 0;
  if (batch_.records.empty()) return;
  char* const id = batch_.bytes.extend(shard_id_.size());
  std::memcpy(id, shard_id_.data(), shard_id_.size());
  id_ = std::string_view(id, shard_id_.size());
  stock_ = shared_bytes_stock(batch_.bytes, std::uint64_t{1} << 40);
}

std::span<record> record_unpacker::next() {
  take_back();
  while (count_ != most && (next_inner_ != inner_.size() || next_ != batch_.records.size())) unpack();
  if (count_ == 0) {  // an idle shard keeps no reply
    records_.clear();
    batch_ = record_batch();
    next_ = 0;
    stock_ = shared_bytes_stock();
  }
  return std::span<record>(records_).first(count_);
}

// The next record: of the one that was taken apart, or of the reply.
void record_unpacker::unpack() {
  if (next_inner_ != inner_.size()) {
    std::size_t const sub = next_inner_++;
    inner_record const& r = inner_[sub];
    if (misplaced(r)) ++misplaced_;
    else add(batch_.records[next_ - 1], r.data, r.partition_key, r.explicit_hash_key.value_or(std::string_view()), sub);
    return;
  }
  record_view const& r = batch_.records[next_++];
  inner_.clear();
  next_inner_ = 0;
  if (auto some = read_aggregated(r.data)) inner_ = std::move(*some);
  else add(r, r.data, r.partition_key, {}, 0);
}

bool record_unpacker::misplaced(inner_record const& r) const {
  if (policy_ == misplaced_records::keep || keys_ == hash_key_range()) return false;
  auto const own = r.explicit_hash_key ? hash_key::parse(*r.explicit_hash_key) : std::nullopt;
  return !keys_.has(own ? *own : hash_key::of(r.partition_key));
}

void record_unpacker::add(record_view const& from, std::string_view data, std::string_view key, std::string_view hash_key,
                          std::uint64_t sub) {
  position const at(from.position[0], from.position[1], from.position[2], sub);
  if (after_) {
    if (at <= *after_) return;
    after_.reset();
  }
  if (count_ == records_.size()) records_.emplace_back();
  record& r = records_[count_++];
  r.bytes_ = stock_.take();
  r.data_ = data;
  r.key_ = key;
  r.hash_key_ = hash_key;
  r.shard_id_ = id_;
  r.position_ = at;
  r.arrival_ = from.arrival;
  r.encrypted_ = from.encrypted;
}

void record_unpacker::take_back() noexcept {
  for (record& r : std::span<record>(records_).first(count_)) stock_.put_back(std::move(r.bytes_));
  count_ = 0;
}

}  // namespace weir::kinesis
