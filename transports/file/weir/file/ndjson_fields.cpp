#include <weir/file/ndjson_fields.hpp>

#include <weir/file/field_memory.hpp>
#include <weir/file/json_fields.hpp>
#include <weir/file/line_fault.hpp>
#include <weir/file/options.hpp>
#include <weir/shared_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace weir::file {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  auto const first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> checked(std::vector<std::string> names) {
  options o;
  o.paths = {"-"};
  o.format = format::ndjson;
  o.fields = std::move(names);
  o.check();
  return std::move(o.fields);
}

}  // namespace

struct ndjson_fields::parts {
  explicit parts(std::vector<std::string> selected)
      : names(checked(std::move(selected))), json(names, names.size()), block(std::size_t{4} * 1024) {}

  void make_room(std::size_t line) {
    std::size_t const needed = 2 * line + json_fields::padding + names.size() * sizeof(field_text) + alignof(std::max_align_t);
    if (needed > block.capacity()) block = shared_bytes(std::max(needed, 2 * block.capacity()));
  }

  std::vector<std::string> names;
  json_fields json;
  shared_bytes block;  // the line, padding, the table of fields, and text that had escapes
};

ndjson_fields::ndjson_fields(std::vector<std::string> names) : parts_(std::make_unique<parts>(std::move(names))) {}
ndjson_fields::ndjson_fields(ndjson_fields&&) noexcept = default;
ndjson_fields& ndjson_fields::operator=(ndjson_fields&&) noexcept = default;
ndjson_fields::~ndjson_fields() = default;

field_text const* ndjson_fields::read(std::string_view payload, std::string& why) {
  std::string_view const line = trimmed(payload);
  if (line.empty()) {
    why = "it is empty";
    return nullptr;
  }
  parts_->make_room(line.size());
  char* const text = parts_->block.data();
  std::memcpy(text, line.data(), line.size());
  std::memset(text + line.size(), 0, json_fields::padding);
  std::string_view const copy(text, line.size());
  field_memory memory(parts_->block, line.size() + json_fields::padding);
  field_text* const found = memory.fields(parts_->names.size());
  parts_->json.index(copy);
  line_fault const fault = parts_->json.parse(copy, found, memory);
  if (!fault) return found;
  why = describe(fault, parts_->names, 0, line.size());
  return nullptr;
}

}  // namespace weir::file
