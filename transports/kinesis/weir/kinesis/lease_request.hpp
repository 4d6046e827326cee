#pragma once
#include <weir/dynamodb/requests.hpp>
#include <weir/kinesis/lease_write.hpp>

#include <string>
#include <variant>

namespace weir::kinesis {

/// A write of a lease as DynamoDB is asked for it.
using lease_request = std::variant<dynamodb::put_request, dynamodb::update_request, dynamodb::delete_request>;

/// Makes it. Attributes that are not known here stay as they are.
/// Source: DynamoDBLeaseRefresher of KCL 3.5, whose conditions these are, and beside them who the owner is.
lease_request to_request(lease_write const& w, std::string const& table);

}  // namespace weir::kinesis
