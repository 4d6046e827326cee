#include "record_keys.hpp"

#include <fmt/format.h>

namespace kinesis_tool {

record_keys::record_keys(options const& o) : how_(o.keys), fixed_(o.key) {
  if (how_ == key_choice::field) fields_.emplace(std::vector<std::string>{o.key});
}

std::optional<std::string> record_keys::key_of(std::string_view line, std::string& why) {
  if (how_ == key_choice::field) return of_field(line, why);
  return how_ == key_choice::fixed ? fixed_ : any();
}

std::optional<std::string> record_keys::of_field(std::string_view line, std::string& why) {
  auto const* const found = fields_->read(line, why);
  if (!found) return std::nullopt;
  if (found->text().empty()) {
    why = "its key, the field, is empty";
    return std::nullopt;
  }
  return std::string(found->text());
}

std::string record_keys::any() { return fmt::format("{:016x}", random_()); }

}  // namespace kinesis_tool
