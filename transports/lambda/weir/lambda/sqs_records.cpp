#include <weir/lambda/sqs_records.hpp>

#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_value.hpp>
#include <weir/lambda/detail/read_chunk.hpp>

namespace weir::lambda {

sqs_records::sqs_records(event const& from) : index_(from.index()) {
  detail::expect_source(*index_, event_source::sqs, "lambda::sqs_records");
}

std::span<sqs_record> sqs_records::next() {
  auto const& all = index_->sqs;
  detail::read_chunk(
      *index_, next_, all.size(), records_,
      [&](std::size_t i) {
        auto const& v = all[i];
        return v.message_id.size() + v.receipt_handle.size() + v.body.size() + v.attributes.size() + v.message_attributes.size() +
               v.group_id.size();
      },
      [&](std::size_t i, detail::value_block& values, sqs_record& to) { return read(i, values, to); },
      [](sqs_record const&) { return true; });
  return records_;
}

char const* sqs_records::read(std::size_t index, detail::value_block& values, sqs_record& to) const {
  detail::sqs_values const& v = index_->sqs[index];
  auto const id = values.text(v.message_id), body = values.text(v.body);
  if (!id || id->empty()) return "its id (messageId) is missing, or is no text";
  if (!body) return "its body (body) is missing, or is no text";
  auto const receipt = v.receipt_handle.empty() ? std::string_view() : values.text(v.receipt_handle);
  if (!receipt) return "its receipt handle (receiptHandle) is no text";
  auto const group = v.group_id.empty() ? std::string_view() : values.text(v.group_id);
  if (!group) return "its message group (attributes.MessageGroupId) is no text";
  auto const sent = v.sent.empty() ? start_of_time : detail::milliseconds_value(v.sent);
  if (!sent) return "the time when it was sent (attributes.SentTimestamp) is none";
  auto const receives = v.receive_count.empty() ? 0 : detail::whole_number(v.receive_count);
  if (!receives || *receives > UINT32_MAX) return "how often it was received (attributes.ApproximateReceiveCount) is no number";
  to.is_.bytes = values.bytes();
  to.is_.message_id = *id;
  to.is_.body = *body;
  to.is_.receipt_handle = *receipt;
  to.is_.group_id = *group;
  to.is_.attributes = values.copy(v.attributes);
  to.is_.message_attributes = values.copy(v.message_attributes);
  to.is_.position = position(index + 1);
  to.is_.arrival = *sent;
  to.is_.receive_count = static_cast<std::uint32_t>(*receives);
  return nullptr;
}

}  // namespace weir::lambda
