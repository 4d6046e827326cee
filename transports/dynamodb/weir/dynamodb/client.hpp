#pragma once
#include <weir/dynamodb/batch_write.hpp>
#include <weir/dynamodb/client_options.hpp>
#include <weir/dynamodb/page.hpp>
#include <weir/dynamodb/requests.hpp>
#include <weir/dynamodb/table.hpp>
#include <weir/dynamodb/transaction.hpp>
#include <weir/dynamodb/write_outcome.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::dynamodb {

/// Calls operations of DynamoDB. Reads are consistent: they see all writes that were done before.
/// ```cpp
/// dynamodb::client const client({.where = {.region = "eu-west-1"}});
/// dynamodb::put_request put("leases", row);
/// put.condition = "attribute_not_exists(leaseKey)";
/// dynamodb::write_outcome const outcome = co_await client.put(put);
/// ```
/// Errors: `errc::throttled` (ProvisionedThroughputExceededException and the like), `not_found`: no such table, `busy`: other transactions
/// stood in the way, `unavailable`, `access_denied`, `rejected` with what DynamoDB says (ValidationException), `too_large` for an item of
/// more than 400 KB; those of `net::http_client` and the credentials; `malformed` for a reply that cannot be read. Each says table, region,
/// request id and number of tries. What is retryable was tried again as the options say. A condition that does not hold is no error. A
/// reply whose checksum (x-amz-crc32) is wrong counts as lost.
///
/// A copy is the same client. Thread-safety: as `net::http_client`: from any strand.
/// Source: DynamoDB API reference, version 2012-08-10.
class client {
public:
  /// Throws what `aws::resolve` and `net::http_client` throw.
  explicit client(client_options options = {});

  /// Begins to create a table; it can be used when it is active. False: there is one of that name already, whatever it looks like.
  task<bool> create_table(table_definition t) const;
  /// Null: there is none.
  task<std::optional<table_status>> describe_table(std::string name) const;
  /// Looks twice a second until the table can be used. Fails with `errc::timed_out` after `longest`.
  task<table_status> wait_until_usable(std::string name, std::chrono::nanoseconds longest = std::chrono::minutes(5)) const;
  /// Begins to delete a table. False: there is none.
  task<bool> delete_table(std::string name) const;

  /// The item of that key; null: there is none.
  task<std::optional<item>> get(std::string table, item key) const;
  task<write_outcome> put(put_request r) const;
  task<write_outcome> update(update_request r) const;
  task<write_outcome> erase(delete_request r) const;

  /// One page.
  task<page> query(query_request r) const;
  task<page> scan(scan_request r) const;

  /// Does all of the writes, 25 at a time, and those that DynamoDB does not get to again, until it does; in no order. Each key may be
  /// there once. When it fails, some may be done. Items of 25 have at most 16 MB.
  task<> write_all(std::string table, std::vector<batch_write> writes) const;
  /// Does all of up to 100 writes, of up to 4 MB, or none of them. `token`: 1 to 36 characters that no other transaction has, by which
  /// DynamoDB knows it again when it is sent twice.
  task<transaction_outcome> transact(std::vector<transaction_write> writes, std::string token) const;

  /// Where it is, for messages: "http://127.0.0.1:4580".
  std::string const& url() const noexcept;

private:
  struct parts;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::dynamodb
