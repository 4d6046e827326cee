#pragma once

#include "decode_tick.hpp"
#include "tick.hpp"
#include "tick_fields.hpp"

#include <weir/file/ndjson_fields.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace ticks {

/// Makes ticks of the payloads of records, which are a line of NDJSON each: the same fields, rules and flaws as of a file. Not thread-safe.
class payload_decoder {
public:
  explicit payload_decoder(tick_fields fields) : fields_(std::move(fields)), values_(selected_fields(fields_)) {}

  /// False when it is no tick; then `why` is one sentence for people, and `out` unspecified.
  bool decode(std::string_view payload, weir::position const& at, tick& out, std::string& why);
  /// The same where a tick is to lie under its symbol: who reads some of the shards cannot see that a symbol comes in others, too.
  bool decode_under(std::string_view partition_key, std::string_view payload, weir::position const& at, tick& out, std::string& why);

private:
  tick_fields fields_;
  weir::file::ndjson_fields values_;
};

}  // namespace ticks
