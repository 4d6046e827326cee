#include "line_keys.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace state_tool {

line_keys::line_keys(key_choice how, std::string key) : how_(how) {
  if (how_ == key_choice::field) fields_.emplace(std::vector<std::string>{std::move(key)});
  else fixed_ = std::move(key);
}

std::optional<std::string> line_keys::key_of(std::string_view line, std::string& why) {
  switch (how_) {
    case key_choice::field: return of_field(line, why);
    case key_choice::random: return any();
    case key_choice::fixed: return fixed_;
    case key_choice::none: break;
  }
  return std::string();
}

std::optional<std::string> line_keys::of_field(std::string_view line, std::string& why) {
  auto const* const found = fields_->read(line, why);
  if (!found) return std::nullopt;
  if (found->text().empty()) {
    why = "its key, the field, is empty";
    return std::nullopt;
  }
  return std::string(found->text());
}

std::string line_keys::any() { return fmt::format("{:016x}", random_()); }

}  // namespace state_tool
