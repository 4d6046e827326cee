#include <weir/lambda/batch_response.hpp>

#include <weir/aws/json_string.hpp>
#include <weir/error.hpp>

#include <simdjson.h>

#include <utility>

namespace weir::lambda {
namespace {

void expect_name(std::string_view identifier) {
  if (!identifier.empty()) return;
  throw error(errc::misuse, "lambda: cannot report a failed record", "it has no identifier",
              "give its sequence number, its message id, or its partition and offset");
}

}  // namespace

batch_response& batch_response::failed(std::string_view identifier) & {
  expect_name(identifier);
  items_ += failures_++ == 0 ? R"({"itemIdentifier":)" : R"(,{"itemIdentifier":)";
  aws::append_json_string(items_, identifier);
  items_ += '}';
  return *this;
}

batch_response& batch_response::failed(std::string_view topic_partition, std::uint64_t offset) & {
  expect_name(topic_partition);
  items_ += failures_++ == 0 ? R"({"itemIdentifier":{"partition":)" : R"(,{"itemIdentifier":{"partition":)";
  aws::append_json_string(items_, topic_partition);
  items_ += R"(,"offset":)" + std::to_string(offset) + "}}";
  return *this;
}

batch_response& batch_response::state(std::string_view object) & {
  if (object.size() > most_state) {
    throw error(errc::too_large, "lambda: cannot hand on the state of a window",
                "it has " + std::to_string(object.size()) + " bytes, and may have " + std::to_string(most_state),
                "have fewer keys in a window, more shards, or a store for checkpoints in place of it");
  }
  simdjson::dom::parser parser;
  simdjson::dom::object members;
  if (parser.parse(object.data(), object.size()).get(members))
    throw error(errc::malformed, "lambda: cannot hand on the state of a window", "it is no JSON object");
  state_ = object;
  return *this;
}

std::string batch_response::json() const {
  std::string out = "{";
  if (!state_.empty()) out += R"("state":)" + state_ + ',';
  return out + R"("batchItemFailures":[)" + items_ + "]}";
}

}  // namespace weir::lambda
