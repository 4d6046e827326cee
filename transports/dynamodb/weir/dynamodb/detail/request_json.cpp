#include <weir/dynamodb/detail/request_json.hpp>

#include <weir/dynamodb/detail/json_out.hpp>

#include <utility>

namespace weir::dynamodb::detail {
namespace {

void put_with(json_object& to, names_and_values const& with) {
  if (!with.names.empty()) to.texts("ExpressionAttributeNames", with.names);
  if (!with.values.empty()) to.attributes("ExpressionAttributeValues", with.values);
}

void put_condition(json_object& to, std::string const& condition, names_and_values const& with) {
  if (!condition.empty()) to.text("ConditionExpression", condition).text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
  put_with(to, with);
}

std::string_view letter(key_type t) noexcept {
  switch (t) {
    case key_type::number: return "N";
    case key_type::binary: return "B";
    case key_type::string: break;
  }
  return "S";
}

std::string schema_of(key_attribute const& k, std::string_view role) {
  return json_object().text("AttributeName", k.name).text("KeyType", role).end();
}
std::string type_of(key_attribute const& k) {
  return json_object().text("AttributeName", k.name).text("AttributeType", letter(k.type)).end();
}

template <class Request> json_object page_of(Request const& r) {
  json_object out;
  out.text("TableName", r.table).raw("ConsistentRead", "true");
  if (!r.projection.empty()) out.text("ProjectionExpression", r.projection);
  put_with(out, r.with);
  if (!r.from.empty()) out.attributes("ExclusiveStartKey", r.from);
  return out;
}

std::string json_of(condition_check const& c) {
  json_object out;
  out.text("TableName", c.table).attributes("Key", c.key);
  put_condition(out, c.condition, c.with);
  return out.end();
}

std::string_view word(put_request const&) noexcept { return "Put"; }
std::string_view word(update_request const&) noexcept { return "Update"; }
std::string_view word(delete_request const&) noexcept { return "Delete"; }
std::string_view word(condition_check const&) noexcept { return "ConditionCheck"; }

}  // namespace

std::string json_of(table_definition const& t) {
  std::string schema = '[' + schema_of(t.hash, "HASH"), types = '[' + type_of(t.hash);
  if (!t.range.name.empty()) {
    schema += ',' + schema_of(t.range, "RANGE");
    types += ',' + type_of(t.range);
  }
  json_object out;
  out.text("TableName", t.name)
      .text("BillingMode", "PAY_PER_REQUEST")
      .raw("KeySchema", schema + ']')
      .raw("AttributeDefinitions", types + ']');
  return out.end();
}

std::string json_of_table(std::string const& name) { return json_object().text("TableName", name).end(); }

std::string json_of_get(std::string const& table, item const& key) {
  return json_object().text("TableName", table).attributes("Key", key).raw("ConsistentRead", "true").end();
}

std::string json_of(put_request const& r) {
  json_object out;
  out.text("TableName", r.table).attributes("Item", r.item);
  put_condition(out, r.condition, r.with);
  return out.end();
}

std::string json_of(update_request const& r) {
  json_object out;
  out.text("TableName", r.table).attributes("Key", r.key);
  if (!r.update.empty()) out.text("UpdateExpression", r.update);
  put_condition(out, r.condition, r.with);
  return out.end();
}

std::string json_of(delete_request const& r) {
  json_object out;
  out.text("TableName", r.table).attributes("Key", r.key);
  put_condition(out, r.condition, r.with);
  return out.end();
}

std::string json_of(query_request const& r) {
  json_object out = page_of(r);
  out.text("KeyConditionExpression", r.key_condition);
  return out.end();
}

std::string json_of(scan_request const& r) {
  json_object out = page_of(r);
  if (!r.filter.empty()) out.text("FilterExpression", r.filter);
  return out.end();
}

std::string json_of(batch_write const& w) {
  bool const put = w.what() == batch_write::kind::put;
  std::string const inner = json_object().attributes(put ? "Item" : "Key", w.attributes()).end();
  return json_object().raw(put ? "PutRequest" : "DeleteRequest", inner).end();
}

std::string json_of_batch(std::string const& table, std::vector<std::string> const& writes) {
  std::string list = "[";
  for (std::string const& w : writes) {
    if (list.size() != 1) list += ',';
    list += w;
  }
  std::string const tables = json_object().raw(table, list + ']').end();
  return json_object().raw("RequestItems", tables).end();
}

std::string json_of(std::vector<transaction_write> const& all, std::string const& token) {
  std::string list = "[";
  for (transaction_write const& each : all) {
    if (list.size() != 1) list += ',';
    list += std::visit([](auto const& w) { return json_object().raw(word(w), json_of(w)).end(); }, each);
  }
  return json_object().raw("TransactItems", list + ']').text("ClientRequestToken", token).end();
}

}  // namespace weir::dynamodb::detail
