#include <weir/lambda/event.hpp>

#include <weir/error.hpp>
#include <weir/lambda/detail/event_index.hpp>
#include <weir/lambda/detail/json_value.hpp>

namespace weir::lambda {

std::string_view to_string(event_source s) noexcept {
  switch (s) {
    case event_source::kinesis: return "aws:kinesis";
    case event_source::dynamodb: return "aws:dynamodb";
    case event_source::sqs: return "aws:sqs";
    case event_source::kafka: return "aws:kafka";
  }
  return "unknown";
}

event::event(std::string_view payload) : index_(std::make_shared<detail::event_index const>(detail::read_event(payload))) {}

event_source event::source() const noexcept { return index_->source; }
std::string_view event::source_arn() const noexcept { return index_->source_arn; }
std::string_view event::shard_id() const noexcept { return index_->shard_id; }
event_window const* event::window() const noexcept { return index_->window ? &*index_->window : nullptr; }
std::size_t event::size() const noexcept { return index_->size(); }
std::span<topic_partition const> event::partitions() const noexcept { return index_->partitions; }

std::string event::identifier(std::size_t index) const {
  std::optional<std::string> out;
  char const* name = "sequence number";
  switch (source()) {
    case event_source::kinesis: out = detail::text_of(index_->kinesis.at(index).sequence_number); break;
    case event_source::dynamodb: out = detail::text_of(index_->dynamodb.at(index).sequence_number); break;
    case event_source::sqs:
      name = "id";
      out = detail::text_of(index_->sqs.at(index).message_id);
      break;
    case event_source::kafka:
      name = "offset";
      if (auto const offset = detail::whole_number(index_->kafka.at(index).offset)) out = std::to_string(*offset);
      break;
  }
  if (!out || out->empty()) detail::refuse_record(*index_, index, "it has no " + std::string(name));
  return *std::move(out);
}

}  // namespace weir::lambda
