#pragma once
#include <weir/lambda/dynamodb_record.hpp>
#include <weir/lambda/event.hpp>
#include <weir/position.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace weir::lambda {

/// Reads the records of an event of DynamoDB, in chunks, in their order; `after`: those behind this position.
/// Strand only; several may read one event.
class dynamodb_records {
public:
  /// Throws `errc::misuse` when the event is of another source.
  explicit dynamodb_records(event const& from, std::optional<position> after = {});

  /// The next records, up to 256, held until the next call. None: that were all. Throws `errc::malformed`, with the ARN and the index of
  /// the record, when one has no sequence number, no keys, an unknown kind of change, or a sequence number below the one before it. What
  /// is in front of that record has come by then, and the same error comes again.
  std::span<dynamodb_record> next();

private:
  char const* read(std::size_t index, detail::value_block& values, dynamodb_record& to);
  std::shared_ptr<detail::event_index const> index_;
  std::optional<position> after_, last_;  // `last_`: of the record before the next one
  std::size_t next_ = 0;
  std::vector<dynamodb_record> records_;
};

}  // namespace weir::lambda
