#pragma once
#include <weir/cancellation.hpp>
#include <weir/checkpointer.hpp>
#include <weir/clock.hpp>
#include <weir/context.hpp>
#include <weir/detail/partition_sinks.hpp>
#include <weir/detail/partition_topic.hpp>
#include <weir/detail/sending.hpp>
#include <weir/log.hpp>
#include <weir/metrics.hpp>
#include <weir/named_sink.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weir {

/// What a handler and its middleware get beside the stream: who they are, their progress, their clock. One per partition, for as long as
/// its pipeline runs: it is the same over all attempts. Strand only.
class stream_context {
public:
  using metadata_map = std::map<std::string, std::string, std::less<>>;

  stream_context(std::string pipeline, std::string stream, std::string partition, weir::checkpointer checkpointer,
                 detail::partition_sinks const& sinks)
      : pipeline_(std::move(pipeline)),
        stream_(std::move(stream)),
        partition_(std::move(partition)),
        checkpointer_(checkpointer),
        sinks_(&sinks) {}
  stream_context(stream_context const&) = delete;
  stream_context& operator=(stream_context const&) = delete;

  std::string_view pipeline() const noexcept { return pipeline_; }
  std::string_view stream() const noexcept { return stream_; }
  std::string_view partition() const noexcept { return partition_; }
  /// 1 for the first run of the handler, one more for each time it is run again: after a failure, and for each portion of the stream
  /// while `on_failure` looks for the record that fails.
  int attempt() const noexcept { return attempt_; }

  weir::checkpointer& checkpointer() noexcept { return checkpointer_; }
  /// The sink that was declared with `use_sink(name, ...)` and takes such rows: `co_await context.sink<bar>("bars").write(*bar)` by hand,
  /// `... | write_to(context.sink<bar>("bars"))` at the end of a chain. Throws `errc::misuse` when there is none of that name, or it takes
  /// other rows.
  template <class Row> named_sink<Row> sink(std::string_view name) const {
    auto* const found = dynamic_cast<detail::partition_sink_of<Row>*>(&sinks_->find(name));
    if (!found) detail::throw_other_rows(name);
    return named_sink<Row>(*found);
  }
  /// `co_await context.send("bar:closed", *bar);` sends a message that comes of the element in hand, and of those before it, to a topic
  /// that was declared with `use_topic(name, ...)` for such values. It goes into the checkpoint that says that they are done, and is
  /// delivered when the store has that: never too early, at least once, with an identity (see `topic`). Waits while too many others wait to
  /// be delivered. When the handler throws, what it has sent for the element in hand is dropped with it.
  ///
  /// For the handler that pulls the stream, and the tasks it awaits in place: the rules of `named_sink::write`. Throws `errc::misuse` when
  /// there is no such topic, when it takes other values, and beside the handler; when the topic's deliveries have ended by an error and too
  /// many messages wait, that error; what the topic's function for payloads throws. Cancelled while it waits: nothing is sent.
  template <class R> [[nodiscard("a message is sent when it is awaited")]] detail::sending<std::remove_cvref_t<R>> send(std::string_view to,
                                                                                                                        R&& value) const {
    using T = std::remove_cvref_t<R>;
    static_assert(!std::is_array_v<T>, "weir: an array is no value to be sent; send a std::string");
    static_assert(std::is_lvalue_reference_v<R> || !std::is_aggregate_v<T> || std::is_trivially_destructible_v<T>,
                  "weir: g++ 12 destroys an aggregate twice that is created in an expression with co_await; give it a name, and send that");
    auto* const found = dynamic_cast<detail::partition_topic_of<T>*>(&sinks_->find_topic(to));
    if (!found) detail::throw_other_values(to);
    return detail::sending<T>(*found, value);
  }
  weir::cancellation cancellation() const noexcept { return run_->cancellation(); }
  weir::clock& clock() const noexcept { return run_->clock(); }
  /// The application's, which knows what it is about: `pipeline`, `stream` and `partition` are fields of each message.
  logger const& log() const noexcept { return log_; }
  /// Null when nobody listens.
  weir::metrics* metrics() const noexcept { return run_->environment().metrics; }

  /// Notes that travel with the run: what the transport knows of the partition, what middleware wants the handler to know.
  metadata_map& metadata() noexcept { return metadata_; }
  metadata_map const& metadata() const noexcept { return metadata_; }

  /// For hosts: a run begins under this context.
  void begin_attempt(context& run) noexcept {
    run_ = &run;
    ++attempt_;
  }
  void enter(context& run) {
    if (!run_) log_ = run.log().with("pipeline", pipeline_).with("stream", stream_).with("partition", partition_);
    run_ = &run;
  }

private:
  std::string pipeline_, stream_, partition_;
  weir::checkpointer checkpointer_;
  detail::partition_sinks const* sinks_;
  context* run_ = nullptr;
  logger log_;
  int attempt_ = 0;
  metadata_map metadata_;
};

}  // namespace weir
