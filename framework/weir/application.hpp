#pragma once
#include <weir/detail/hosted_pipeline.hpp>
#include <weir/detail/pipeline_host.hpp>
#include <weir/pipeline_builder.hpp>
#include <weir/settings.hpp>
#include <weir/source.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir {

namespace eventhubs {
struct options;
}
namespace file {
struct options;
}
namespace kinesis {
struct options;
}
namespace lambda {
struct options;
}
namespace testing {
template <class T> class script;
}

/// A program of pipelines: what it reads, what happens to it, and the running of it.
/// ```
/// weir::application app{{.name = "ticks", .checkpoints = store}};
/// app.use_file_stream({.paths = {"ticks.ndjson"}}, [](auto& pipeline) { pipeline.use_stream(handler); });
/// return app.run();
/// ```
/// Every `use_...` checks what it is given and throws `weir::error` (`errc::invalid_pipeline`) at once: a pipeline without a terminal
/// stage, two pipelines of one name, a policy of zero, a sink of another store. Building is not thread-safe; `stop` is.
class application {
public:
  explicit application(settings s = {});
  application(application const&) = delete;
  application& operator=(application const&) = delete;
  ~application();

  /// Reads any source. `configure(pipeline_builder<R>&)` says what happens to its elements.
  template <class R, class Configure> application& use_source(std::shared_ptr<source<R>> from, Configure&& configure) {
    if (!from) refuse("use_source was given no source");
    pipeline_builder<R> pipeline;
    pipeline.name(std::string(from->name()));
    std::forward<Configure>(configure)(pipeline);
    check(pipeline.name(), static_cast<bool>(pipeline.terminal()), pipeline.commit().value_or(settings_.commit));
    check(pipeline.name(), pipeline.sinks());
    add(std::make_unique<detail::hosted_pipeline_of<R>>(std::move(from), std::move(pipeline)));
    return *this;
  }
  /// The same with a source of a derived type: `use_source(std::make_shared<my_source>(), ...)`.
  template <class Source, class Configure>
    requires std::derived_from<Source, source<typename Source::element_type>>
  application& use_source(std::shared_ptr<Source> from, Configure&& configure) {
    return use_source(std::shared_ptr<source<typename Source::element_type>>(std::move(from)), std::forward<Configure>(configure));
  }

  // Each transport defines its own in its header, which must be included; they are declared here so that a program reads in one breath.

  /// Files: NDJSON, CSV, lines. Defined by `<weir/file/use_file_stream.hpp>`.
  template <class Configure> application& use_file_stream(file::options options, Configure&& configure);
  /// An event hub of Azure. Defined by `<weir/eventhubs/use_event_hub_stream.hpp>`.
  template <class Configure> application& use_event_hub_stream(eventhubs::options options, Configure&& configure);
  /// A stream of Kinesis. Defined by `<weir/kinesis/use_kinesis_stream.hpp>`.
  template <class Configure> application& use_kinesis_stream(kinesis::options options, Configure&& configure);
  /// Events that AWS Lambda invokes the program with; such an application has nothing else. Defined by `<weir/lambda/use_aws_lambda.hpp>`.
  template <class Configure> application& use_aws_lambda(Configure&& configure);
  template <class Configure> application& use_aws_lambda(lambda::options options, Configure&& configure);
  /// A script in memory, for tests. Defined by `<weir/memory/use_memory_stream.hpp>`.
  template <class T, class Configure> application& use_memory_stream(testing::script<T> script, Configure&& configure);

  /// What `run` returns when a drain was cut short.
  static constexpr int exit_unfinished = 75;

  /// Runs everything until all data has ended, on this thread. SIGINT and SIGTERM drain: stop reading, let handlers finish what they
  /// were given, commit. After `drain_timeout`, or with a second signal, what still runs is named in the log (partitions, and how many
  /// records are not done) and cancelled; what does not end then within `cancel_timeout`, is given up: its coroutines are destroyed where
  /// they wait. Where the thread itself is not given back by then, the process ends (`_Exit`) behind a report. What is not done comes again
  /// after a restart.
  ///
  /// Returns the exit code for main:
  /// - 0: all data has ended, and is done;
  /// - 1: a partition halted, or the application could not start (the log says why; the other partitions went on to their end);
  /// - 75 (`exit_unfinished`; EX_TEMPFAIL of sysexits.h): a drain was cut short;
  /// - 128 + signal: drained, all that was taken is done.
  int run();

  /// The same as a task, for a program (or `testing::run`) that has its own event loop. Throws the first failure after all
  /// partitions have ended. May be awaited again: everything continues from its checkpoint.
  task<> serve();

  /// Drains, as SIGTERM does. From any thread while `run` runs; on the strand otherwise.
  void stop();

private:
  [[noreturn]] static void refuse(std::string const& why);
  void check(std::string const& name, bool terminal, commit_policy const& commit) const;
  void check(std::string const& name, std::vector<std::shared_ptr<detail::pipeline_sink>> const& sinks) const;
  void add(std::unique_ptr<detail::hosted_pipeline> p);
  void add(std::unique_ptr<detail::pipeline_host> h);
  void stop_here() noexcept;
  [[noreturn]] void end_here() noexcept;
  class running;
  class control;
  class shown;

  settings settings_;
  bool forgetful_ = false;  // no checkpoints were given, so they end with it
  std::vector<std::unique_ptr<detail::hosted_pipeline>> pipelines_;
  std::unique_ptr<detail::pipeline_host> host_;  // in place of pipelines
  std::unique_ptr<control> control_;
};

}  // namespace weir
