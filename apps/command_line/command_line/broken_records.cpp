#include "broken_records.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

namespace command_line {

void broken_records::refuse(weir::file::record const& record, std::string why) const {
  std::string const path(record.partition_key());
  weir::error failure(weir::errc::malformed, program_ + ": cannot use a line", std::move(why),
                      policy_.fails() ? "correct the line, or pass over such lines with --on-broken-line dead-letter FILE" : "");
  failure.with_detail(fmt::format("{}, line {}, byte {}", path, record.line_number(), record.offset()));
  if (policy_.fails()) throw failure;
  weir::file::broken_line broken;
  broken.message = failure.what();
  broken.path = path;
  broken.text = record.line();
  broken.line_number = record.line_number();
  broken.offset = record.offset();
  policy_.dead_letter(broken);
}

}  // namespace command_line
