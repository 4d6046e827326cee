#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::kinesis::detail {

// The JSON object of a request, member by member.
class request_text {
public:
  request_text& add(std::string_view name, std::string_view value);
  request_text& add(std::string_view name, std::uint64_t value);
  // Seconds since the epoch, to the millisecond, as services write times.
  request_text& add_time(std::string_view name, instant t);
  // `json`: the value as it is.
  request_text& add_json(std::string_view name, std::string_view json);
  // StreamName, or StreamARN where it is one.
  request_text& add_stream(std::string_view name_or_arn);
  std::string take();

private:
  void begin(std::string_view name);
  std::string text_;
};

}  // namespace weir::kinesis::detail
