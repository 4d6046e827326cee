#include "payload_decoder.hpp"

#include <fmt/format.h>

namespace ticks {

bool payload_decoder::decode(std::string_view payload, weir::position const& at, tick& out, std::string& why) {
  auto const* const f = values_.read(payload, why);
  if (!f) return false;
  tick_texts const texts{f[0].text(), f[1].text(), f[2].text(), fields_.trade_id.empty() ? std::string_view() : f[4].text(), f[3].text()};
  auto const flaw = decode_tick(texts, fields_, at, out);
  if (flaw == tick_flaw::none) return true;
  why = describe(flaw, texts, fields_);
  return false;
}

bool payload_decoder::decode_under(std::string_view partition_key, std::string_view payload, weir::position const& at, tick& out,
                                   std::string& why) {
  if (!decode(payload, at, out, why)) return false;
  if (partition_key == out.name.view()) return true;
  why = fmt::format("its partition key is \"{}\", not its symbol \"{}\", by which shards are shared (weir kinesis put --key-field symbol)",
                    partition_key, out.name.view());
  return false;
}

}  // namespace ticks
