#pragma once
#include <weir/kinesis/record.hpp>
#include <weir/lambda/detail/event_pipeline.hpp>
#include <weir/lambda/dynamodb_record.hpp>
#include <weir/lambda/event.hpp>
#include <weir/lambda/kafka_record.hpp>
#include <weir/lambda/options.hpp>
#include <weir/lambda/sqs_record.hpp>
#include <weir/pipeline_builder.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace weir::lambda {

/// Which events a function takes, and what happens to the records of each:
/// ```cpp
/// weir::application app{{.name = "ticks"}};
/// app.use_aws_lambda([](auto& events) {
///   events.use_kinesis_stream({.source = "ticks"}, [](auto& pipeline) { pipeline.use_stream(handler); })
///       .use_sqs({.source = "corrections"}, [](auto& pipeline) { pipeline.use_stream(correct); });
/// });
/// return app.run();  // the program is the function's `bootstrap`
/// ```
/// An event goes to the pipeline that names its source, otherwise to that of its kind which names none; where there is none, the
/// invocation fails and says so.
///
/// **A batch is a stream.** The handler is called for each batch, with its records in order; what is done when it returns, throws or runs
/// out of time is what was committed, and the first record behind that is reported (`batchItemFailures`), so that it and what follows
/// comes again, and nothing else. When all is done the answer reports nothing. The handler's metadata (`stream_context::metadata`) has
/// "lambda.request_id", "lambda.trace_id" (for the X-Ray header of calls it makes), "lambda.function_arn", "lambda.source_arn".
///
/// **State.** Without `settings.checkpoints` nothing is kept from one invocation to the next: the batch is all the data there is, so
/// `partition_by` and `window(n)` end with it, and a handler that keeps more (a window in time, `dedup`, `scan`) is refused by the commit,
/// with nothing reported as done, rather than be wrong. With a store that the function's instances share, the checkpoint of a
/// shard is loaded first: what it says is done is left out when it comes again, windows go on over invocations, and `partition_by` has no
/// end and never finishes. A mapping with a tumbling window carries what operators keep from one invocation of the window to the next,
/// where there are no checkpoints; the data then ends with the window, which closes what is open. Checkpoints are those of
/// `use_kinesis_stream` and other workers, of the same names.
///
/// A mapping carries up to 1 MB of such state (`batch_response::most_state` bytes of JSON, of which three quarters are the state's own),
/// and would end a window early that has more, with results of a part of it. So the invocation fails instead, naming the window, and its
/// shard stands still until the records are too old for the mapping: have fewer keys in a window, more shards, or a store for checkpoints.
/// From 750 kB on the log warns.
///
/// Strand only; every call returns the builder.
/// Source: "Invoking a function from event source mappings" and those of the sources, AWS Lambda developer guide.
class events {
public:
  /// A shard of a stream of Kinesis: `configure(pipeline_builder<kinesis::record>&)`. The pipeline's name is by default the one that a
  /// worker's has, "kinesis " and the stream.
  template <class Configure> events& use_kinesis_stream(stream_options o, Configure&& configure) {
    return add<kinesis::record>(event_source::kinesis, detail::event_rules(std::move(o)), std::forward<Configure>(configure));
  }
  /// A shard of the stream of a table: `configure(pipeline_builder<dynamodb_record>&)`. Events do not say the shard, so that there cannot
  /// be checkpoints.
  template <class Configure> events& use_dynamodb_stream(stream_options o, Configure&& configure) {
    return add<dynamodb_record>(event_source::dynamodb, detail::event_rules(std::move(o)), std::forward<Configure>(configure));
  }
  /// Messages of a queue: `configure(pipeline_builder<sqs_record>&)`. Each is a stream of its own, up to `queue_options::most_concurrent`
  /// at a time, and fails by itself; of a FIFO queue each message group is one, which stops at its first failure. There is no order to keep
  /// a checkpoint in: no state, no transactional sinks, no topics.
  template <class Configure> events& use_sqs(queue_options o, Configure&& configure) {
    return add<sqs_record>(event_source::sqs, detail::event_rules(std::move(o)), std::forward<Configure>(configure));
  }
  /// Topics of Kafka, of Amazon's or another: `configure(pipeline_builder<kafka_record>&)`. Each partition of an event is a stream of its
  /// own, beside the others.
  template <class Configure> events& use_kafka_stream(stream_options o, Configure&& configure) {
    return add<kafka_record>(event_source::kafka, detail::event_rules(std::move(o)), std::forward<Configure>(configure));
  }

  /// For hosts.
  std::vector<std::unique_ptr<detail::event_pipeline>> const& pipelines() const noexcept { return pipelines_; }
  std::vector<std::unique_ptr<detail::event_pipeline>> take() && noexcept { return std::move(pipelines_); }

private:
  template <class R, class Configure> events& add(event_source kind, detail::event_rules rules, Configure&& configure) {
    pipeline_builder<R> pipeline;
    pipeline.name(detail::stream_name(kind, rules.source));
    std::forward<Configure>(configure)(pipeline);
    pipelines_.push_back(std::make_unique<detail::event_pipeline_of<R>>(kind, std::move(rules), std::move(pipeline)));
    return *this;
  }
  std::vector<std::unique_ptr<detail::event_pipeline>> pipelines_;
};

}  // namespace weir::lambda
