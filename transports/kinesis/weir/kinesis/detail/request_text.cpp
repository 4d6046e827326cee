#include <weir/kinesis/detail/request_text.hpp>

#include <weir/aws/json_string.hpp>

#include <algorithm>
#include <utility>

namespace weir::kinesis::detail {

void request_text::begin(std::string_view name) {
  text_ += text_.empty() ? '{' : ',';
  aws::append_json_string(text_, name);
  text_ += ':';
}

request_text& request_text::add(std::string_view name, std::string_view value) {
  begin(name);
  aws::append_json_string(text_, value);
  return *this;
}

request_text& request_text::add(std::string_view name, std::uint64_t value) { return add_json(name, std::to_string(value)); }

request_text& request_text::add_time(std::string_view name, instant t) {
  std::int64_t const milliseconds = floor_to(std::max<instant>(t, 0), std::chrono::milliseconds(1)) / 1'000'000;
  std::string const rest = std::to_string(1'000 + milliseconds % 1'000);
  return add_json(name, std::to_string(milliseconds / 1'000) + '.' + rest.substr(1));
}

request_text& request_text::add_json(std::string_view name, std::string_view json) {
  begin(name);
  text_ += json;
  return *this;
}

request_text& request_text::add_stream(std::string_view name_or_arn) {
  return add(name_or_arn.starts_with("arn:") ? "StreamARN" : "StreamName", name_or_arn);
}

std::string request_text::take() {
  if (text_.empty()) text_ = "{";
  text_ += '}';
  return std::exchange(text_, {});
}

}  // namespace weir::kinesis::detail
