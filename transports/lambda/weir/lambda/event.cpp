#include <weir/lambda/event.hpp>

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

}  // namespace weir::lambda
