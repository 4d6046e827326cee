#pragma once
#include <weir/lambda/runtime.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace weir::lambda {

/// How a function answers its invocations: `app.use_aws_lambda({.margin = 1s}, ...)`.
struct options {
  /// How long before its deadline an invocation stops reading, > 0. The handler has half of it to finish what it holds, and is then
  /// cancelled; the other half is for the commit and the answer. What was not done is reported, and comes again.
  std::chrono::nanoseconds margin = std::chrono::milliseconds(500);
  /// What is to be done before the first invocation is asked for, connections opened, say; the service gives the start more of the
  /// processor than an invocation, and up to 10 s. When it fails, so does the start (`init/error`). Empty: nothing.
  std::function<task<>()> on_start = {};
  /// What is in place of the Runtime API. Null: that, at AWS_LAMBDA_RUNTIME_API.
  std::shared_ptr<runtime> service = nullptr;
};

/// Which events go into a pipeline, and what is answered for it.
struct stream_options {
  /// Of which stream, table or cluster: its name, or its ARN. Empty: of all of the kind that no other pipeline of this application names.
  std::string source = {};
  /// Whether the event source mapping has `ReportBatchItemFailures` among its function response types. With it a batch that was done in
  /// part comes again from the first record that is not done. **Without it the service takes every answer for success**, so say so here:
  /// then the whole invocation fails when anything is not done, and all of the batch comes again.
  bool report_batch_item_failures = true;
  /// That of the mapping, 1 to 10. Above 1 there are several batches of one shard at a time, so that no frontier of the shard is known, and
  /// the application cannot have checkpoints (`settings::checkpoints`).
  unsigned parallelization_factor = 1;
};

/// The same for queues.
struct queue_options {
  std::string source = {};
  bool report_batch_item_failures = true;
  /// How many messages, of FIFO queues message groups, are with the handler at a time, >= 1.
  std::size_t most_concurrent = 10;
};

}  // namespace weir::lambda
