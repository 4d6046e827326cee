#include <weir/file/line_parser.hpp>

#include <weir/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace weir::file {

line_parser::line_parser(options const& o) : names_(o.fields), max_line_(o.max_line) {
  names_.insert(names_.end(), o.optional_fields.begin(), o.optional_fields.end());
  if (o.format == format::ndjson) format_.emplace<json_fields>(names_, o.fields.size());
  if (o.format != format::csv) return;
  auto& csv = format_.emplace<csv_fields>(names_, o.fields.size(), o.delimiter);
  if (o.columns.empty()) return;
  if (line_fault const f = csv.set_columns(o.columns)) throw error(errc::invalid_option, "file: cannot use columns", describe(f));
}

bool line_parser::wants_header() const noexcept {
  auto const* const csv = std::get_if<csv_fields>(&format_);
  return csv && csv->columns().empty();
}

line_fault line_parser::set_header(std::string_view row) { return std::get<csv_fields>(format_).set_header(row); }

bool line_parser::passes_over(std::string_view line) const noexcept {
  if (line.find_first_not_of(" \t\r") != std::string_view::npos) [[likely]]
    return false;
  return !std::holds_alternative<std::monostate>(format_);
}

void line_parser::index(std::string_view run) {
  if (auto* const json = std::get_if<json_fields>(&format_)) json->index(run);
  else if (auto* const csv = std::get_if<csv_fields>(&format_)) csv->index(run);
}

line_fault line_parser::parse(std::string_view line, field_text* fields, field_memory& memory) {
  if (auto* const json = std::get_if<json_fields>(&format_)) return json->parse(line, fields, memory);
  if (auto* const csv = std::get_if<csv_fields>(&format_)) return csv->parse(line, fields, memory);
  return {};
}

std::string line_parser::describe(line_fault const& f) const {
  auto const* const csv = std::get_if<csv_fields>(&format_);
  if (!csv) return file::describe(f, names_, 0, max_line_);
  if (f.kind != fault_kind::field_missing) return file::describe(f, names_, csv->columns().size(), max_line_);
  return fmt::format("there is no column \"{}\"; the columns are: {}", names_[f.number], fmt::join(csv->columns(), ", "));
}

}  // namespace weir::file
