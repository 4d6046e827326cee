#include "tick_decoder.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

namespace ticks {

std::vector<std::string> tick_decoder::selected() const {
  std::vector<std::string> names{fields_.symbol, fields_.price, fields_.size, fields_.time};
  if (!fields_.trade_id.empty()) names.push_back(fields_.trade_id);
  return names;
}

weir::instant tick_decoder::time_of(weir::file::record const& record, weir::instant otherwise) const noexcept {
  tick out;
  return decode_tick(texts_of(record), fields_, record.position(), out) == tick_flaw::none ? out.time() : otherwise;
}

tick tick_decoder::refuse(weir::file::record const& record, tick_flaw flaw, tick_texts const& texts) const {
  std::string const path(record.partition_key());
  weir::error failure(weir::errc::malformed, "ticks: cannot use a line", describe(flaw, texts, fields_),
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
  return tick();
}

}  // namespace ticks
