#pragma once
#include <functional>
#include <string_view>

// What is in an object or an array of a text that has been looked through; behind it `value_block::padding` bytes may be read. Values as
// they stand there, empty for null. False: it is no such thing.
namespace weir::lambda::detail {

bool each_member(std::string_view object, std::function<void(std::string_view name, std::string_view value)> const& f);
bool each_element(std::string_view array, std::function<void(std::string_view value)> const& f);

}  // namespace weir::lambda::detail
