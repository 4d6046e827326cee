#include <weir/lambda/sqs_record.hpp>

#include <weir/error.hpp>
#include <weir/lambda/detail/json_members.hpp>
#include <weir/lambda/detail/json_value.hpp>
#include <weir/net/base64.hpp>

namespace weir::lambda {
namespace {

[[noreturn]] void refuse_attributes(std::string_view id, char const* member) {
  throw error(errc::malformed, "lambda: cannot read the attributes of a message of SQS",
              std::string("\"") + member + "\" are not as SQS has them")
      .with_detail("message " + std::string(id));
}

}  // namespace

std::optional<std::string> sqs_record::attribute(std::string_view name) const {
  std::optional<std::string> out;
  if (is_.attributes.empty()) return out;
  bool fine = true;
  fine &= detail::each_member(is_.attributes, [&](std::string_view member, std::string_view value) {
    if (member != name || value.empty()) return;
    out = detail::text_of(value);
    fine &= out.has_value();
  });
  if (!fine) refuse_attributes(is_.message_id, "attributes");
  return out;
}

std::vector<message_attribute> sqs_record::message_attributes() const {
  std::vector<message_attribute> out;
  if (is_.message_attributes.empty()) return out;
  bool fine = true;
  auto const read = [&](std::string& to, std::string_view value) {
    auto text = detail::text_of(value);
    fine &= text.has_value();
    if (text) to = *std::move(text);
  };
  fine &= detail::each_member(is_.message_attributes, [&](std::string_view name, std::string_view attribute) {
    message_attribute& a = out.emplace_back();
    a.name = name;
    fine &= detail::each_member(attribute, [&](std::string_view member, std::string_view value) {
      if (value.empty()) return;
      if (member == "dataType") {
        read(a.type, value);
      } else if (member == "stringValue") {
        read(a.value, value);
      } else if (member == "binaryValue") {
        std::string base64;
        read(base64, value);
        auto bytes = net::from_base64(base64);
        fine &= bytes.has_value();
        if (bytes) a.value = *std::move(bytes);
      }
    });
    fine &= !a.type.empty();
  });
  if (!fine) refuse_attributes(is_.message_id, "messageAttributes");
  return out;
}

}  // namespace weir::lambda
