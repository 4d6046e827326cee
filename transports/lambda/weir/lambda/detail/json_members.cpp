#include <weir/lambda/detail/json_members.hpp>

#include <weir/lambda/detail/json_value.hpp>

#include <simdjson.h>

namespace weir::lambda::detail {
namespace {

using simdjson::ondemand::value;

simdjson::error_code read_text(value& v, std::string_view& out) {
  simdjson::ondemand::json_type type{};
  if (auto const failed = v.type().get(type)) return failed;
  simdjson::error_code failed = simdjson::SUCCESS;
  if (type == simdjson::ondemand::json_type::object) {
    simdjson::ondemand::object o;
    if ((failed = v.get_object().get(o)) == simdjson::SUCCESS) failed = o.raw_json().get(out);
  } else if (type == simdjson::ondemand::json_type::array) {
    simdjson::ondemand::array a;
    if ((failed = v.get_array().get(a)) == simdjson::SUCCESS) failed = a.raw_json().get(out);
  } else {
    out = v.raw_json_token();
  }
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
