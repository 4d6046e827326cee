#pragma once
#include <weir/guarantee.hpp>
#include <weir/kinesis/producer.hpp>
#include <weir/outside_write.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::kinesis {

/// A sink that puts rows into a stream: the rows in front of each checkpoint, before that is committed.
/// ```cpp
/// kinesis::sink<bar> const bars({.stream = "bars"}, [](bar const& b) { return kinesis::outgoing_record(b.symbol, to_json(b)); });
/// pipeline.use_sink("bars", bars);
/// ```
/// The commit waits until the stream has all of them; one that is tried again goes on with what was not taken yet. Rows that no stream
/// takes are the record's fault (`failure_policy`): `errc::malformed`, `errc::too_large`.
///
/// Guarantee: at least once: after a crash between stream and commit, rows come again. Order and aggregation: `producer_options`. Errors:
/// those of `producer`.
/// A copy is the same sink. Thread-safety: as a value.
template <class Row> class sink {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "kinesis";
  static constexpr guarantee promises = guarantee::at_least_once;

  /// `record_of(row)`: the `outgoing_record` for it. Throws what `producer` throws.
  template <class RecordOf> sink(producer_options o, RecordOf record_of) : by_(std::move(o)), record_of_(std::move(record_of)) {}

  /// The rows of one commit.
  std::shared_ptr<outside_write> write(std::vector<Row> rows) const {
    std::vector<outgoing_record> records;
    records.reserve(rows.size());
    for (Row const& row : rows) records.push_back(record_of_(row));
    return by_.write(std::move(records));
  }

private:
  producer by_;
  std::function<outgoing_record(Row const&)> record_of_;
};

}  // namespace weir::kinesis
