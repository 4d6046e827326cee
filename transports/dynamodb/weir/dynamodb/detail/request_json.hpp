#pragma once
#include <weir/dynamodb/batch_write.hpp>
#include <weir/dynamodb/requests.hpp>
#include <weir/dynamodb/table.hpp>
#include <weir/dynamodb/transaction.hpp>

#include <string>
#include <vector>

// The bodies of requests.
// Source: DynamoDB API reference, version 2012-08-10.
namespace weir::dynamodb::detail {

std::string json_of(table_definition const& t);
std::string json_of_table(std::string const& name);
std::string json_of_get(std::string const& table, item const& key);
std::string json_of(put_request const& r);
std::string json_of(update_request const& r);
std::string json_of(delete_request const& r);
std::string json_of(query_request const& r);
std::string json_of(scan_request const& r);
// One write of a batch, and the batch of some.
std::string json_of(batch_write const& w);
std::string json_of_batch(std::string const& table, std::vector<std::string> const& writes);
// `token`: the same for a transaction that is sent again, so that it is done once.
std::string json_of(std::vector<transaction_write> const& all, std::string const& token);

}  // namespace weir::dynamodb::detail
