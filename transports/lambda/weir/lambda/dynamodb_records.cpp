#include <weir/lambda/dynamodb_records.hpp>

#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_members.hpp>
#include <weir/lambda/detail/json_value.hpp>
#include <weir/lambda/detail/read_chunk.hpp>

namespace weir::lambda {
namespace {

// Those by which DynamoDB itself deletes items: {"type":"Service","principalId":"dynamodb.amazonaws.com"}.
bool is_dynamodb(std::string_view user_identity) {
  std::string_view type, principal;
  if (user_identity.empty()) return false;
  detail::each_member(user_identity, [&](std::string_view name, std::string_view value) {
    if (name == "type") type = value;
    else if (name == "principalId") principal = value;
  });
  return type == R"("Service")" && principal == R"("dynamodb.amazonaws.com")";
}

std::optional<dynamodb_record::change> change_of(std::string_view event_name) {
  auto const name = detail::inside_string(event_name);
  if (name == "INSERT") return dynamodb_record::change::insert;
  if (name == "MODIFY") return dynamodb_record::change::modify;
  if (name == "REMOVE") return dynamodb_record::change::remove;
  return std::nullopt;
}

// Where text is no JSON, the reading of its members may end elsewhere than the reading of the whole.
bool has(std::string_view content, std::string_view part) {
  return part.empty() || (part.data() >= content.data() && part.data() + part.size() <= content.data() + content.size());
}

}  // namespace

dynamodb_records::dynamodb_records(event const& from, std::optional<position> after) : index_(from.index()), after_(after) {
  detail::expect_source(*index_, event_source::dynamodb, "lambda::dynamodb_records");
}

std::span<dynamodb_record> dynamodb_records::next() {
  auto const& all = index_->dynamodb;
  do {
    detail::read_chunk(
        *index_, next_, all.size(), records_,
        [&](std::size_t i) { return all[i].content.size() + all[i].sequence_number.size() + all[i].event_id.size(); },
        [&](std::size_t i, detail::value_block& values, dynamodb_record& to) { return read(i, values, to); },
        [&](dynamodb_record const& r) { return !after_ || r.position() > *after_; });
  } while (records_.empty() && next_ != all.size());
  return records_;
}

char const* dynamodb_records::read(std::size_t index, detail::value_block& values, dynamodb_record& to) {
  detail::dynamodb_values const& v = index_->dynamodb[index];
  auto const number = detail::sequence_position(v.sequence_number);
  if (!number) return "its sequence number (dynamodb.SequenceNumber) is missing, or is none";
  auto const at = detail::behind(last_, *number);
  if (!at) return "its sequence number is below that of the record before it";
  auto const what = change_of(v.event_name);
  if (!what) return "its kind of change (eventName) is missing, or is none of INSERT, MODIFY and REMOVE";
  if (!v.keys.starts_with('{')) return "its keys (dynamodb.Keys) are missing, or are no object";
  auto const created = v.created.empty() ? start_of_time : detail::seconds_value(v.created);
  if (!created) return "its time (dynamodb.ApproximateCreationDateTime) is none";
  auto const id = v.event_id.empty() ? std::string_view() : values.text(v.event_id);
  if (!id) return "its id (eventID) is no text";
  for (std::string_view const part : {v.keys, v.new_image, v.old_image, v.sequence_number})
    if (!has(v.content, part)) return "its content (dynamodb) is no JSON";
  to.is_.bytes = values.bytes();
  to.is_.payload = values.copy(v.content);
  auto const copied = [&](std::string_view part) {
    return part.empty() ? part : to.is_.payload.substr(static_cast<std::size_t>(part.data() - v.content.data()), part.size());
  };
  to.is_.keys = copied(v.keys);
  to.is_.new_image = copied(v.new_image);
  to.is_.old_image = copied(v.old_image);
  to.is_.sequence_number = copied(v.sequence_number.substr(1, v.sequence_number.size() - 2));
  to.is_.event_id = *id;
  to.is_.position = *at;
  to.is_.arrival = *created;
  to.is_.what = *what;
  to.is_.expired = *what == dynamodb_record::change::remove && is_dynamodb(v.user_identity);
  last_ = at;
  return nullptr;
}

}  // namespace weir::lambda
