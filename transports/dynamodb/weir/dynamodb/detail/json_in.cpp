#include <weir/dynamodb/detail/json_in.hpp>

#include <weir/error.hpp>
#include <weir/net/base64.hpp>

#include <simdjson.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace weir::dynamodb::detail {
namespace {

using simdjson::dom::element;

[[noreturn]] void refuse(std::string why) {
  throw error(errc::malformed, "dynamodb: cannot read a reply", std::move(why), "is it DynamoDB that answers at this address?");
}

// A parsed body, as long as what is taken from it is looked at.
class document {
public:
  explicit document(std::string const& body) {
    if (parser_.parse(body).get(root_)) refuse("it is no JSON");
    if (!root_.is_object()) refuse("it is no JSON object");
  }
  element root() const noexcept { return root_; }

private:
  simdjson::dom::parser parser_;
  element root_;
};

std::optional<element> member(element of, std::string_view name) {
  element out;
  if (of.at_key(name).get(out) || out.is_null()) return std::nullopt;
  return out;
}

std::string text_of(element e, std::string_view what) {
  std::string_view out;
  if (e.get_string().get(out)) refuse(std::string(what) + " is no text");
  return std::string(out);
}

std::string text_member(element of, std::string_view name) {
  auto const found = member(of, name);
  return found ? text_of(*found, name) : std::string();
}

attribute_value::bytes bytes_of(element e) {
  auto const raw = net::from_base64(text_of(e, "an attribute of type B"));
  if (!raw) refuse("an attribute of type B is not base64");
  auto const* const at = reinterpret_cast<std::byte const*>(raw->data());
  return {at, at + raw->size()};
}

simdjson::dom::array list_of(element e, std::string_view what) {
  simdjson::dom::array out;
  if (e.get_array().get(out)) refuse(std::string(what) + " is no list");
  return out;
}

simdjson::dom::object object_of(element e, std::string_view what) {
  simdjson::dom::object out;
  if (e.get_object().get(out)) refuse(std::string(what) + " is no object");
  return out;
}

item to_item(element e);

attribute_value to_value(element e) {
  auto const object = object_of(e, "an attribute");
  if (object.size() != 1) refuse("an attribute has not one type");
  auto const [type, content] = *object.begin();
  auto const texts = [c = content](std::string_view what) {
    std::set<std::string> out;
    for (element const each : list_of(c, what)) out.insert(text_of(each, what));
    return out;
  };
  if (type == "S") return attribute_value::string(text_of(content, "an attribute of type S"));
  if (type == "N") return attribute_value::number(text_of(content, "an attribute of type N"));
  if (type == "B") return attribute_value::binary(bytes_of(content));
  if (type == "SS") return attribute_value::string_set(texts("an attribute of type SS"));
  if (type == "NS") return attribute_value::number_set(texts("an attribute of type NS"));
  if (type == "M") return attribute_value::map(to_item(content));
  if (type == "NULL") return {};
  if (type == "BOOL") {
    bool flag = false;
    if (content.get_bool().get(flag)) refuse("an attribute of type BOOL is neither true nor false");
    return attribute_value::boolean(flag);
  }
  if (type == "BS") {
    attribute_value::binary_set_type out;
    for (element const each : list_of(content, "an attribute of type BS")) out.insert(bytes_of(each));
    return attribute_value::binary_set(std::move(out));
  }
  if (type == "L") {
    attribute_value::list_type out;
    for (element const each : list_of(content, "an attribute of type L")) out.push_back(to_value(each));
    return attribute_value::list(std::move(out));
  }
  refuse("an attribute is of an unknown type, " + std::string(type));
}

item to_item(element e) {
  item out;
  for (auto const& [name, value] : object_of(e, "an item")) out.insert_or_assign(std::string(name), to_value(value));
  return out;
}

std::optional<item> item_member(element of, std::string_view name) {
  auto const found = member(of, name);
  if (!found) return std::nullopt;
  return to_item(*found);
}

}  // namespace

attribute_value read_value(std::string const& json) { return to_value(document(json).root()); }

std::optional<item> read_item(std::string const& body) {
  document const json(body);
  return item_member(json.root(), "Item");
}

page read_page(std::string const& body) {
  document const json(body);
  page out;
  if (auto const items = member(json.root(), "Items"))
    for (element const each : list_of(*items, "Items")) out.items.push_back(to_item(each));
  if (auto next = item_member(json.root(), "LastEvaluatedKey")) out.next = *std::move(next);
  return out;
}

table_status read_table(std::string const& body) {
  document const json(body);
  auto table = member(json.root(), "Table");
  if (!table) table = member(json.root(), "TableDescription");
  if (!table) refuse("it describes no table");
  table_status out;
  out.name = text_member(*table, "TableName");
  out.status = text_member(*table, "TableStatus");
  auto const keys = member(*table, "KeySchema");
  if (!keys) return out;
  for (element const key : list_of(*keys, "KeySchema")) {
    key_attribute& to = text_member(key, "KeyType") == "HASH" ? out.hash : out.range;
    to.name = text_member(key, "AttributeName");
    auto const types = member(*table, "AttributeDefinitions");
    if (!types) continue;
    for (element const each : list_of(*types, "AttributeDefinitions")) {
      if (text_member(each, "AttributeName") != to.name) continue;
      std::string const type = text_member(each, "AttributeType");
      to.type = type == "N" ? key_type::number : type == "B" ? key_type::binary : key_type::string;
    }
  }
  return out;
}

std::vector<std::string> read_unprocessed(std::string const& body, std::string const& table) {
  document const json(body);
  std::vector<std::string> out;
  auto const tables = member(json.root(), "UnprocessedItems");
  if (!tables) return out;
  for (auto const& [name, writes] : object_of(*tables, "UnprocessedItems")) {
    if (name != table) refuse("UnprocessedItems are of a table that was not written, " + std::string(name));
    if (writes.is_null()) continue;
    for (element const each : list_of(writes, "UnprocessedItems")) out.push_back(simdjson::minify(each));
  }
  return out;
}

std::vector<cancellation_reason> read_reasons(std::string const& body) {
  document const json(body);
  std::vector<cancellation_reason> out;
  auto const reasons = member(json.root(), "CancellationReasons");
  if (!reasons) return out;
  for (element const each : list_of(*reasons, "CancellationReasons")) {
    cancellation_reason& r = out.emplace_back();
    r.code = text_member(each, "Code");
    r.message = text_member(each, "Message");
    r.found = item_member(each, "Item");
  }
  return out;
}

}  // namespace weir::dynamodb::detail
