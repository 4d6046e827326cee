#pragma once
#include <weir/dynamodb/expression.hpp>

#include <cstddef>
#include <string>
#include <utility>

// What the operations of `client` are asked. Expressions are DynamoDB's ("Expressions", DynamoDB developer guide); empty ones are left out.
namespace weir::dynamodb {

/// Puts a whole item in the place of the one with its key.
struct put_request {
  put_request() = default;
  put_request(std::string to_table, dynamodb::item whole) noexcept : table(std::move(to_table)), item(std::move(whole)) {}

  std::string table;
  dynamodb::item item;
  std::string condition;  ///< "attribute_not_exists(leaseKey)"
  names_and_values with;
};

/// Changes attributes of an item, and makes it when there is none, unless a condition forbids it.
struct update_request {
  update_request() = default;
  update_request(std::string of_table, item of_key) noexcept : table(std::move(of_table)), key(std::move(of_key)) {}

  std::string table;
  item key;
  std::string update;  ///< "SET leaseCounter = :next REMOVE leaseOwner"
  std::string condition;
  names_and_values with;
};

/// Deletes an item; nothing when there is none.
struct delete_request {
  delete_request() = default;
  delete_request(std::string of_table, item of_key) noexcept : table(std::move(of_table)), key(std::move(of_key)) {}

  std::string table;
  item key;
  std::string condition;
  names_and_values with;
};

/// Reads items of one partition key in the order of the sort key. Sees all writes that were done before.
struct query_request {
  query_request() = default;
  query_request(std::string of_table, std::string condition, names_and_values by) noexcept
      : table(std::move(of_table)), key_condition(std::move(condition)), with(std::move(by)) {}

  std::string table;
  std::string key_condition;  ///< "checkpoint = :c AND begins_with(part, :p)"
  std::string projection;     ///< which attributes; empty: all
  names_and_values with;
  item from;  ///< `page::next` of the page before
};

/// Reads a whole table, in no order. What is written meanwhile may be seen or not; what was written before is.
struct scan_request {
  scan_request() = default;
  explicit scan_request(std::string of_table) noexcept : table(std::move(of_table)) {}

  std::string table;
  std::string filter;      ///< which items are answered; all are read, and paid for
  std::string projection;  ///< which attributes; empty: all
  names_and_values with;
  item from;  ///< `page::next` of the page before
};

}  // namespace weir::dynamodb
