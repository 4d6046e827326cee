#pragma once
#include <weir/lambda/event.hpp>
#include <weir/lambda/sqs_record.hpp>

#include <cstddef>
#include <memory>

#include <span>
#include <vector>

namespace weir::lambda {

/// Reads the messages of an event of SQS, in chunks, in the order of the event. Strand only; several may read one event.
class sqs_records {
public:
  /// Throws `errc::misuse` when the event is of another source.
  explicit sqs_records(event const& from);

  /// The next messages, up to 256, held until the next call. None: that were all. Throws `errc::malformed`, with the ARN and the index of
  /// the message, when one has no id or no body. What is in front of that one has come by then, and the same error comes again.
  std::span<sqs_record> next();

private:
  char const* read(std::size_t index, detail::value_block& values, sqs_record& to) const;
  std::shared_ptr<detail::event_index const> index_;
  std::size_t next_ = 0;
  std::vector<sqs_record> records_;
};

}  // namespace weir::lambda
