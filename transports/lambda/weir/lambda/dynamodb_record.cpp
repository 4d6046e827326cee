#include <weir/lambda/dynamodb_record.hpp>

#include <weir/dynamodb/detail/json_in.hpp>
#include <weir/error.hpp>

#include <string>

namespace weir::lambda {
namespace {

dynamodb::item item_of(std::string_view json, char const* what, std::string_view number) {
  std::string map = R"({"M":)";
  map += json;
  map += '}';
  try {
    return *dynamodb::detail::read_value(map).as_map();
  } catch (error const& e) {
    if (e.code() != errc::malformed) throw;
    throw error(errc::malformed, "lambda: cannot read " + std::string(what) + " of a record of DynamoDB", e.why())
        .with_detail("sequence number " + std::string(number));
  }
}

}  // namespace

dynamodb::item dynamodb_record::keys() const {
  return is_.keys.empty() ? dynamodb::item() : item_of(is_.keys, "the keys", is_.sequence_number);
}

std::optional<dynamodb::item> dynamodb_record::new_image() const {
  if (is_.new_image.empty()) return std::nullopt;
  return item_of(is_.new_image, "the new image", is_.sequence_number);
}

std::optional<dynamodb::item> dynamodb_record::old_image() const {
  if (is_.old_image.empty()) return std::nullopt;
  return item_of(is_.old_image, "the old image", is_.sequence_number);
}

}  // namespace weir::lambda
