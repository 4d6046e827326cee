#include <weir/lambda/kinesis_records.hpp>

#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_value.hpp>

#include <algorithm>
#include <string>

namespace weir::lambda {
namespace {

// Null, or what is wrong with it.
char const* read_one(detail::kinesis_values const& v, detail::value_block& values, std::optional<position> const& last,
                     kinesis::record_view& to) {
  auto const at = detail::sequence_position(v.sequence_number);
  if (!at) return "its sequence number (kinesis.sequenceNumber) is missing, or is none";
  if (last && *at <= *last) return "its sequence number is not above that of the record before it";
  auto const key = values.text(v.partition_key);
  if (!key || key->empty()) return "its partition key (kinesis.partitionKey) is missing, or is no text";
  auto const data = values.base64(v.data);
  if (!data) return "its data (kinesis.data) are missing, or are no base64";
  auto const arrival = v.arrival.empty() ? start_of_time : detail::seconds_value(v.arrival);
  if (!arrival) return "its time of arrival (kinesis.approximateArrivalTimestamp) is none";
  to.position = *at;
  to.partition_key = *key;
  to.data = *data;
  to.arrival = *arrival;
  return nullptr;
}

}  // namespace

kinesis_records::kinesis_records(event const& from, std::optional<position> after)
    : index_(from.index()), unpacker_(std::string(from.shard_id()), kinesis::hash_key_range(), kinesis::misplaced_records::keep, after) {
  detail::expect_source(*index_, event_source::kinesis, "lambda::kinesis_records");
}

std::span<kinesis::record> kinesis_records::next() {
  std::span<kinesis::record> some = unpacker_.next();
  while (some.empty() && next_ != index_->kinesis.size()) {
    unpacker_.take(read());
    some = unpacker_.next();
  }
  return some;
}

// The next records up to a chunk of them, and up to one that cannot be read.
kinesis::record_batch kinesis_records::read() {
  std::size_t const end = std::min(index_->kinesis.size(), next_ + kinesis::record_unpacker::most);
  std::size_t size = 0;
  for (std::size_t i = next_; i != end; ++i) size += index_->kinesis[i].data.size() + index_->kinesis[i].partition_key.size();
  detail::value_block values(size);
  kinesis::record_batch out;
  out.bytes = values.bytes();
  out.records.reserve(end - next_);
  for (; next_ != end; ++next_) {
    char const* const fault = read_one(index_->kinesis[next_], values, last_, out.records.emplace_back());
    if (fault == nullptr) {
      last_ = out.records.back().position;
      continue;
    }
    out.records.pop_back();
    if (out.records.empty()) detail::refuse_record(*index_, next_, fault);
    break;
  }
  return out;
}

}  // namespace weir::lambda
