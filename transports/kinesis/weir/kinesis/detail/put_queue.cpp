#include <weir/kinesis/detail/put_queue.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/aggregated_record.hpp>

#include <simdjson.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace weir::kinesis::detail {
namespace {

// Keys that few have are looked for so far ahead.
constexpr std::size_t most_ahead = 10'000;
// Of an aggregated record, for each in it: tags, lengths, indices.
constexpr std::size_t around_inner = 12;

[[noreturn]] void refuse(weir::errc code, std::string why, std::string advice = {}) {
  throw error(code, "kinesis: cannot put a record", std::move(why), std::move(advice));
}

std::string key_text(outgoing_record const& r) {
  return r.explicit_hash_key ? r.explicit_hash_key->text() + ' ' + r.partition_key : ' ' + r.partition_key;
}

}  // namespace

void put_queue::add(outgoing_record r) {
  auto const characters = std::ranges::count_if(r.partition_key, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
  if (r.partition_key.empty()) refuse(weir::errc::malformed, "it has no partition key", "give it one, of 1 to 256 characters");
  if (!simdjson::validate_utf8(r.partition_key.data(), r.partition_key.size()))
    refuse(weir::errc::malformed, "its partition key is no UTF-8");
  if (characters > 256)
    refuse(weir::errc::malformed, "its partition key has " + std::to_string(characters) + " characters", "a key has 256 at most");
  if (r.size() > how_->most_record_bytes)
    refuse(weir::errc::too_large,
           "it has " + std::to_string(r.size()) + " bytes, more than the " + std::to_string(how_->most_record_bytes) + " a record may have",
           "make it smaller, or raise most_record_bytes and the stream's own limit (UpdateMaxRecordSize)");
  if (how_->aggregate_bytes == 0) waiting_.push_back(std::move(r));
  else add_to_aggregate(std::move(r));
}

void put_queue::add_to_aggregate(outgoing_record r) {
  auto const [at, fresh] = index_.try_emplace(key_text(r), open_.size());
  aggregate& a = fresh ? open_.emplace_back() : open_[at->second];
  std::size_t const bytes = r.data.size() + around_inner;
  if (!a.records.empty() && a.bytes + bytes > std::min(how_->aggregate_bytes, how_->most_record_bytes)) {
    close(a);
    a = aggregate();
  }
  if (a.records.empty()) a.bytes = 2 * r.partition_key.size() + 64;  // its own and the table's, hash key, checksum
  a.bytes += bytes;
  a.records.push_back(std::move(r));
}

void put_queue::close_all() {
  for (aggregate& a : open_) close(a);
  open_.clear();
  index_.clear();
}

void put_queue::close(aggregate& a) {
  if (a.records.size() == 1) {
    waiting_.push_back(std::move(a.records.front()));
    return;
  }
  outgoing_record out(a.records.front().partition_key, write_aggregated(a.records), a.records.front().explicit_hash_key);
  waiting_.push_back(std::move(out));
}

void put_queue::append(put_queue later) {
  close_all();
  later.close_all();
  std::ranges::move(later.batch_, std::back_inserter(waiting_));
  std::ranges::move(later.waiting_, std::back_inserter(waiting_));
}

bool put_queue::fits(outgoing_record const& r) const noexcept {
  return batch_.empty() || (batch_.size() < how_->most_records && batch_bytes_ + r.size() <= how_->most_bytes);
}

std::span<outgoing_record const> put_queue::next() {
  close_all();
  if (how_->order == put_order::per_key) add_one_per_key();
  else add_in_order();
  return batch_;
}

void put_queue::add_in_order() {
  while (!waiting_.empty() && fits(waiting_.front())) {
    batch_bytes_ += waiting_.front().size();
    batch_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
}

void put_queue::add_one_per_key() {
  std::unordered_set<std::string> taken;
  for (outgoing_record const& r : batch_) taken.insert(r.partition_key);
  std::size_t const ahead = std::min(waiting_.size(), most_ahead);
  std::size_t seen = 0, left = 0;  // what stays moves to the front of what was seen
  for (; seen != ahead && fits(waiting_[seen]); ++seen) {
    outgoing_record& r = waiting_[seen];
    if (!taken.insert(r.partition_key).second) {
      if (left != seen) waiting_[left] = std::move(r);
      ++left;
      continue;
    }
    batch_bytes_ += r.size();
    batch_.push_back(std::move(r));
  }
  auto const begin = waiting_.begin();
  waiting_.erase(begin + static_cast<std::ptrdiff_t>(left), begin + static_cast<std::ptrdiff_t>(seen));
}

std::size_t put_queue::settle(std::span<put_result const> results) {
  std::size_t left = 0;
  batch_bytes_ = 0;
  for (std::size_t i = 0; i != batch_.size(); ++i) {
    if (!results[i].failure) continue;
    batch_bytes_ += batch_[i].size();
    if (left != i) batch_[left] = std::move(batch_[i]);
    ++left;
  }
  std::size_t const taken = batch_.size() - left;
  batch_.resize(left);
  return taken;
}

}  // namespace weir::kinesis::detail
