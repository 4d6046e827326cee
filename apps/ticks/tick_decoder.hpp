#pragma once

#include "decode_tick.hpp"
#include "tick.hpp"
#include "tick_fields.hpp"

#include <weir/file/options.hpp>
#include <weir/file/record.hpp>
#include <command_line/broken_records.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ticks {

/// Makes ticks of the records of a file.
///
/// A record that is no tick is treated like a line that is no record: it fails the stream with `errc::malformed` and file, line and byte,
/// or goes to the dead letters of the policy and becomes a tick without a name at its position, to be filtered out. 45 ns per record.
class tick_decoder {
public:
  tick_decoder(tick_fields fields, weir::file::broken_line_policy policy)
      : fields_(std::move(fields)), broken_("ticks", std::move(policy)) {}

  /// The fields to select, in the order in which the decoder looks for them.
  std::vector<std::string> selected() const { return selected_fields(fields_); }

  tick operator()(weir::file::record const& record) const {
    tick_texts const texts = texts_of(record);
    tick out;
    auto const flaw = decode_tick(texts, fields_, record.position(), out);
    if (flaw != tick_flaw::none) [[unlikely]]
      return refuse(record, flaw, texts);
    return out;
  }

  /// The event time alone, for replays; of a record that is no tick that of `otherwise`.
  weir::instant time_of(weir::file::record const& record, weir::instant otherwise) const noexcept;

private:
  tick_texts texts_of(weir::file::record const& r) const noexcept {
    if (fields_.trade_id.empty()) return tick_texts{r.field(0), r.field(1), r.field(2), {}, r.field(3)};
    return tick_texts{r.field(0), r.field(1), r.field(2), r.field(4), r.field(3)};
  }
  [[gnu::cold]] tick refuse(weir::file::record const& record, tick_flaw flaw, tick_texts const& texts) const;

  tick_fields fields_;
  command_line::broken_records broken_;
};

}  // namespace ticks
