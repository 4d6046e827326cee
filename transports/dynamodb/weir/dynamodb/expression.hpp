#pragma once
#include <weir/dynamodb/attribute_value.hpp>

#include <map>
#include <string>
#include <utility>

namespace weir::dynamodb {

/// What `#names` and `:values` in the expressions of a request stand for; each that is used has to be here, and no others.
/// ```cpp
/// names_and_values().name("#v", "version").value(":v", attribute_value::number(3))
/// ```
struct names_and_values {
  names_and_values() = default;
  names_and_values& name(std::string placeholder, std::string attribute) {
    names.insert_or_assign(std::move(placeholder), std::move(attribute));
    return *this;
  }
  names_and_values& value(std::string placeholder, attribute_value v) {
    values.insert_or_assign(std::move(placeholder), std::move(v));
    return *this;
  }

  std::map<std::string, std::string> names;
  item values;
};

}  // namespace weir::dynamodb
