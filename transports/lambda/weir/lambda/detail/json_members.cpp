#include <weir/lambda/detail/json_members.hpp>

#include <weir/lambda/detail/json_value.hpp>

#include <simdjson.h>

#include <utility>

namespace weir::lambda::detail {
namespace {

using simdjson::ondemand::value;

template <class Container> simdjson::error_code read_raw(simdjson::simdjson_result<Container> of, std::string_view& out) {
  Container found;
  auto const failed = std::move(of).get(found);
  return failed ? failed : found.raw_json().get(out);
}

simdjson::error_code read_text(value& v, std::string_view& out) {
  using simdjson::ondemand::json_type;
  json_type type{};
  auto failed = v.type().get(type);
  if (failed) return failed;
  if (type == json_type::object) failed = read_raw<simdjson::ondemand::object>(v.get_object(), out);
  else if (type == json_type::array) failed = read_raw<simdjson::ondemand::array>(v.get_array(), out);
  else out = v.raw_json_token();
  out = value_before_space(out);
  return failed;
}

struct document {
  explicit document(std::string_view text) {
    failed = parser.iterate(text.data(), text.size(), text.size() + value_block::padding).get(json) != simdjson::SUCCESS;
  }
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document json;
  bool failed;
};

}  // namespace

bool each_member(std::string_view object, std::function<void(std::string_view name, std::string_view value)> const& f) {
  document d(object);
  simdjson::ondemand::object all;
  if (d.failed || d.json.get_object().get(all)) return false;
  for (auto each : all) {
    simdjson::ondemand::field member;
    std::string_view name, text;
    if (std::move(each).get(member) || member.unescaped_key().get(name)) return false;
    if (read_text(member.value(), text)) return false;
    f(name, text);
  }
  return true;
}

bool each_element(std::string_view array, std::function<void(std::string_view value)> const& f) {
  document d(array);
  simdjson::ondemand::array all;
  if (d.failed || d.json.get_array().get(all)) return false;
  for (auto each : all) {
    value element;
    std::string_view text;
    if (std::move(each).get(element) || read_text(element, text)) return false;
    f(text);
  }
  return true;
}

}  // namespace weir::lambda::detail
