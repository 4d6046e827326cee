#include "tick_decoder.hpp"

namespace ticks {

weir::instant tick_decoder::time_of(weir::file::record const& record, weir::instant otherwise) const noexcept {
  tick out;
  return decode_tick(texts_of(record), fields_, record.position(), out) == tick_flaw::none ? out.time() : otherwise;
}

tick tick_decoder::refuse(weir::file::record const& record, tick_flaw flaw, tick_texts const& texts) const {
  broken_.refuse(record, describe(flaw, texts, fields_));
  tick passed;
  passed.at = record.position();
  return passed;
}

}  // namespace ticks
