#include <weir/dynamodb/detail/json_out.hpp>

#include <weir/aws/json_string.hpp>
#include <weir/net/base64.hpp>

#include <utility>

namespace weir::dynamodb::detail {
namespace {

std::string base64_of(attribute_value::bytes const& bytes) {
  return net::to_base64({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
}

// A JSON list of what `put` writes for each.
template <class All, class Put> void put_list(std::string& to, All const& all, Put put) {
  to += '[';
  bool first = true;
  for (auto const& each : all) {
    if (!std::exchange(first, false)) to += ',';
    put(to, each);
  }
  to += ']';
}

void put_texts(std::string& to, std::set<std::string> const& all) {
  put_list(to, all, [](std::string& out, std::string const& text) { aws::append_json_string(out, text); });
}

}  // namespace

void put_value(std::string& to, attribute_value const& value) {
  if (auto const* const text = value.as_string()) {
    to += R"({"S":)";
    aws::append_json_string(to, *text);
  } else if (auto const* const digits = value.as_number()) {
    to += R"({"N":)";
    aws::append_json_string(to, *digits);
  } else if (auto const* const bytes = value.as_binary()) {
    to += R"({"B":")" + base64_of(*bytes) + '"';
  } else if (auto const* const flag = value.as_boolean()) {
    to += *flag ? R"({"BOOL":true)" : R"({"BOOL":false)";
  } else if (auto const* const list = value.as_list()) {
    to += R"({"L":)";
    put_list(to, *list, [](std::string& out, attribute_value const& each) { put_value(out, each); });
  } else if (auto const* const map = value.as_map()) {
    to += R"({"M":)";
    put_item(to, *map);
  } else if (auto const* const texts = value.as_string_set()) {
    to += R"({"SS":)";
    put_texts(to, *texts);
  } else if (auto const* const numbers = value.as_number_set()) {
    to += R"({"NS":)";
    put_texts(to, *numbers);
  } else if (auto const* const binaries = value.as_binary_set()) {
    to += R"({"BS":)";
    put_list(to, *binaries, [](std::string& out, attribute_value::bytes const& each) { out += '"' + base64_of(each) + '"'; });
  } else {
    to += R"({"NULL":true)";
  }
  to += '}';
}

void put_item(std::string& to, item const& all) {
  to += '{';
  bool first = true;
  for (auto const& [name, value] : all) {
    if (!std::exchange(first, false)) to += ',';
    aws::append_json_string(to, name);
    to += ':';
    put_value(to, value);
  }
  to += '}';
}

std::string to_json(attribute_value const& value) {
  std::string out;
  put_value(out, value);
  return out;
}

void json_object::begin(std::string_view name) {
  if (out_.size() != 1) out_ += ',';
  aws::append_json_string(out_, name);
  out_ += ':';
}

json_object& json_object::text(std::string_view name, std::string_view value) {
  begin(name);
  aws::append_json_string(out_, value);
  return *this;
}

json_object& json_object::attributes(std::string_view name, item const& value) {
  begin(name);
  put_item(out_, value);
  return *this;
}

json_object& json_object::raw(std::string_view name, std::string_view json) {
  begin(name);
  out_ += json;
  return *this;
}

json_object& json_object::texts(std::string_view name, std::map<std::string, std::string> const& all) {
  begin(name);
  std::string out = "{";
  for (auto const& [key, value] : all) {
    if (out.size() != 1) out += ',';
    aws::append_json_string(out, key);
    out += ':';
    aws::append_json_string(out, value);
  }
  out_ += out + '}';
  return *this;
}

std::string json_object::end() { return std::exchange(out_, "{") + "}"; }

}  // namespace weir::dynamodb::detail
