#pragma once
#include <weir/dynamodb/requests.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weir::dynamodb {

/// A condition in a transaction on an item that it leaves as it is.
struct condition_check {
  condition_check() = default;
  condition_check(std::string of_table, item of_key, std::string that, names_and_values by = {}) noexcept
      : table(std::move(of_table)), key(std::move(of_key)), condition(std::move(that)), with(std::move(by)) {}

  std::string table;
  item key;
  std::string condition;
  names_and_values with;
};
/// A write of a transaction.
using transaction_write = std::variant<put_request, update_request, delete_request, condition_check>;

/// Why a write of a transaction stood in its way; one for each write, in order.
struct cancellation_reason {
  cancellation_reason() = default;

  std::string code;           ///< "None": not this one; "ConditionalCheckFailed", "TransactionConflict", "ThrottlingError", ...
  std::string message;        ///< for people; may be empty
  std::optional<item> found;  ///< of a condition that did not hold: the item as it is; null: there is none
};

/// What has become of a transaction. Either all of its writes are done, or none is.
struct transaction_outcome {
  transaction_outcome() = default;

  bool done = false;                         ///< false: a condition did not hold
  std::vector<cancellation_reason> reasons;  ///< when it is not done
};

}  // namespace weir::dynamodb
