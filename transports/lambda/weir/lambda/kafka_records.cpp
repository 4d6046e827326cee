#include <weir/lambda/kafka_records.hpp>

#include <weir/error.hpp>
#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_value.hpp>
#include <weir/lambda/detail/read_chunk.hpp>

#include <cstdint>
#include <string>

namespace weir::lambda {

kafka_records::kafka_records(event const& from, std::size_t partition, std::optional<position> after)
    : index_(from.index()), after_(after) {
  detail::expect_source(*index_, event_source::kafka, "lambda::kafka_records");
  if (partition >= index_->partitions.size()) {
    throw error(errc::misuse, "lambda::kafka_records: cannot read partition " + std::to_string(partition) + " of the event",
                "it has " + std::to_string(index_->partitions.size()));
  }
  next_ = index_->partitions[partition].first;
  end_ = next_ + index_->partitions[partition].size;
}

std::span<kafka_record> kafka_records::next() {
  auto const& all = index_->kafka;
  do {
    detail::read_chunk(
        *index_, next_, end_, records_,
        [&](std::size_t i) { return all[i].topic.size() + all[i].key.size() + all[i].value.size() + all[i].headers.size(); },
        [&](std::size_t i, detail::value_block& values, kafka_record& to) { return read(i, values, to); },
        [&](kafka_record const& r) { return !after_ || r.position() > *after_; });
  } while (records_.empty() && next_ != end_);
  return records_;
}

char const* kafka_records::read(std::size_t index, detail::value_block& values, kafka_record& to) {
  detail::kafka_values const& v = index_->kafka[index];
  auto const topic = values.text(v.topic);
  if (!topic || topic->empty()) return "its topic (topic) is missing, or is no text";
  auto const partition = detail::whole_number(v.partition), offset = detail::whole_number(v.offset);
  if (!partition || *partition > INT32_MAX) return "its partition (partition) is missing, or is none";
  if (!offset || *offset > INT64_MAX) return "its offset (offset) is missing, or is none";
  position const at(*offset);
  if (last_ && at <= *last_) return "its offset is not above that of the record before it";
  if (!v.key.empty()) to.is_.key = values.base64(v.key);
  if (!v.value.empty()) to.is_.value = values.base64(v.value);
  if (!v.key.empty() && !to.is_.key) return "its key (key) is no base64";
  if (!v.value.empty() && !to.is_.value) return "its value (value) is no base64";
  auto const time = v.timestamp.empty() ? start_of_time : detail::milliseconds_value(v.timestamp);
  if (!time) return "its time (timestamp) is none";
  to.is_.bytes = values.bytes();
  to.is_.topic = *topic;
  to.is_.headers = values.copy(v.headers);
  to.is_.position = at;
  to.is_.arrival = *time;
  to.is_.partition = static_cast<std::uint32_t>(*partition);
  to.is_.logged = v.timestamp_type == R"("LOG_APPEND_TIME")";
  last_ = at;
  return nullptr;
}

}  // namespace weir::lambda
