#include <weir/file/json_structure.hpp>

#include <weir/file/utf8.hpp>

#include <simdjson.h>

#include <algorithm>
#include <new>

namespace weir::file {
namespace {

constexpr std::size_t smallest = std::size_t{64} * 1024;

// simdjson says what is wrong, not where.
line_fault explain(simdjson::error_code error, std::string_view text) {
  switch (error) {
    case simdjson::UTF8_ERROR: return line_fault(fault_kind::not_utf8, first_invalid_utf8(text));
    case simdjson::UNCLOSED_STRING: return line_fault(fault_kind::unclosed_string, text.rfind('"'));
    case simdjson::UNESCAPED_CHARS: {
      auto const control = std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
      auto const tab = std::ranges::find(text, '\t');
      auto const found = control != text.end() ? control : tab;
      return line_fault(fault_kind::control_character, static_cast<std::size_t>(found - text.begin()));
    }
    case simdjson::EMPTY: return line_fault(fault_kind::not_an_object);
    default: throw std::bad_alloc();  // MEMALLOC; the others cannot happen here
  }
}

}  // namespace

struct json_structure::state {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
};

json_structure::json_structure() : state_(std::make_unique<state>()) {
  auto const error = simdjson::get_active_implementation()->create_dom_parser_implementation(smallest, 1, state_->parser);
  if (error != simdjson::SUCCESS) throw std::bad_alloc();
}

json_structure::~json_structure() = default;
json_structure::json_structure(json_structure&&) noexcept = default;
json_structure& json_structure::operator=(json_structure&&) noexcept = default;

line_fault json_structure::index(std::string_view text) {
  auto& parser = *state_->parser;
  if (text.size() >= parser.capacity() && parser.set_capacity(text.size() + text.size() / 2) != simdjson::SUCCESS) throw std::bad_alloc();
  auto const* const bytes = reinterpret_cast<std::uint8_t const*>(text.data());
  auto const error = parser.stage1(bytes, text.size(), simdjson::stage1_mode::regular);
  if (error != simdjson::SUCCESS) return explain(error, text);
  parser.structural_indexes[parser.n_structural_indexes] = static_cast<std::uint32_t>(text.size());
  tokens_ = parser.structural_indexes.get();
  return {};
}

}  // namespace weir::file
