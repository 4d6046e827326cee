#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace weir::test {

/// The same text for JSON that says the same: members by their names, without spaces, numbers as doubles, sets of DynamoDB (SS, NS, BS)
/// in order and each of their values once, and without members called one of `without`.
std::string canonical_json(std::string_view json, std::initializer_list<std::string_view> without = {});

}  // namespace weir::test
