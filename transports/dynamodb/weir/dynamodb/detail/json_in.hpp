#pragma once
#include <weir/dynamodb/attribute_value.hpp>
#include <weir/dynamodb/page.hpp>
#include <weir/dynamodb/table.hpp>
#include <weir/dynamodb/transaction.hpp>

#include <optional>
#include <string>
#include <vector>

// The JSON that DynamoDB answers. Members that are null count as absent, unknown ones are passed over; anything else that is not as it
// should be throws errc::malformed.
namespace weir::dynamodb::detail {

attribute_value read_value(std::string const& json);
// "Item" of a reply, or of the error of a condition that did not hold; null: it has none.
std::optional<item> read_item(std::string const& body);
// "Items" and "LastEvaluatedKey"
page read_page(std::string const& body);
// "Table" of DescribeTable, "TableDescription" of CreateTable.
table_status read_table(std::string const& body);
// "UnprocessedItems" of one table, each as the JSON it was sent as.
std::vector<std::string> read_unprocessed(std::string const& body, std::string const& table);
// "CancellationReasons"
std::vector<cancellation_reason> read_reasons(std::string const& body);

}  // namespace weir::dynamodb::detail
