#pragma once
#include <cstdint>
#include <string>
#include <utility>

namespace weir::dynamodb {

/// The type of an attribute that is part of a key.
enum class key_type : std::uint8_t { string, number, binary };

/// An attribute that is part of the key of a table.
struct key_attribute {
  key_attribute() = default;
  explicit key_attribute(std::string of_name, key_type of_type = key_type::string) noexcept : name(std::move(of_name)), type(of_type) {}

  std::string name;  ///< empty: there is none
  key_type type = key_type::string;
};

/// A table to be created. It is paid for by the request (`PAY_PER_REQUEST`), so it has no limits to be set.
struct table_definition {
  table_definition(std::string called, key_attribute by_hash, key_attribute by_range = {}) noexcept
      : name(std::move(called)), hash(std::move(by_hash)), range(std::move(by_range)) {}

  std::string name;     ///< 3 to 255 letters, digits, '_', '-', '.'
  key_attribute hash;   ///< the partition key
  key_attribute range;  ///< the sort key; without a name: there is none
};

/// What there is to know of a table.
struct table_status {
  table_status() = default;

  std::string name;
  std::string status;  ///< "ACTIVE", "CREATING", "UPDATING", "DELETING", ...; it can be used when it is ACTIVE or UPDATING
  key_attribute hash, range;
  bool usable() const noexcept { return status == "ACTIVE" || status == "UPDATING"; }
};

}  // namespace weir::dynamodb
