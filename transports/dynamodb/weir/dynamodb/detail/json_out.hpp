#pragma once
#include <weir/dynamodb/attribute_value.hpp>

#include <string>
#include <string_view>

// The JSON that DynamoDB is sent.
namespace weir::dynamodb::detail {

// {"S":"a"}, {"B":"..."} in base64. Source: "Data type descriptors", DynamoDB developer guide.
void put_value(std::string& to, attribute_value const& value);
// {"name":{"S":"a"}}
void put_item(std::string& to, item const& all);
std::string to_json(attribute_value const& value);

// The members of an object, one behind the other: `json_object().text("TableName", name).raw("Key", json).end()`.
class json_object {
public:
  json_object& text(std::string_view name, std::string_view value);
  json_object& attributes(std::string_view name, item const& value);
  // `json` is JSON already.
  json_object& raw(std::string_view name, std::string_view json);
  // {"#n":"name"}
  json_object& texts(std::string_view name, std::map<std::string, std::string> const& all);
  std::string end();

private:
  void begin(std::string_view name);
  std::string out_ = "{";
};

}  // namespace weir::dynamodb::detail
