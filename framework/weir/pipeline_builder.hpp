#pragma once
#include <weir/cancellation.hpp>
#include <weir/commit_policy.hpp>
#include <weir/detail/pipeline_sink.hpp>
#include <weir/detail/pipeline_topic.hpp>
#include <weir/error.hpp>
#include <weir/failure_policy.hpp>
#include <weir/middleware.hpp>
#include <weir/migration.hpp>
#include <weir/payload_text.hpp>
#include <weir/sink.hpp>
#include <weir/stream.hpp>
#include <weir/stream_context.hpp>
#include <weir/topic.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// A handler that takes its context: `(stream<R>, stream_context&) -> task<>`.
template <class H, class R>
concept context_handler = requires(H& h, stream<R> s, stream_context& c) {
  { h(std::move(s), c) } -> std::same_as<task<>>;
};
/// A handler that needs only the essentials: `(stream<R>, cancellation) -> task<>`.
template <class H, class R>
concept plain_handler = requires(H& h, stream<R> s, cancellation c) {
  { h(std::move(s), c) } -> std::same_as<task<>>;
};

/// What happens to the elements of one source. A pipeline has one terminal stage, `use_stream`; everything is checked when it is
/// built. Every call returns the builder.
template <class R> class pipeline_builder {
public:
  using element_type = R;
  using handler = std::function<task<>(stream<R>, stream_context&)>;

  /// The pipeline's name in checkpoints, metrics and messages; by default the source's. Changing it starts from the beginning.
  pipeline_builder& name(std::string n) {
    name_ = std::move(n);
    return *this;
  }
  /// Puts `m` around what follows. Each call goes further in.
  pipeline_builder& use(middleware m) {
    if (!m)
      throw error(errc::invalid_pipeline, "pipeline: cannot be built", "use() was given an empty middleware", "pass something callable");
    middleware_.push_back(std::move(m));
    return *this;
  }
  /// How often the checkpoint is written, in place of the application's policy.
  pipeline_builder& commit(commit_policy p) {
    commit_ = p;
    return *this;
  }
  /// How many bytes of memory each partition may hold, above zero; default: as many as it takes. Counted are
  /// - *state*: what operators keep, from their own tables (capacities; of texts and other values with memory of their own, what those
  ///   have, by a sample of them, or as many bytes as in a checkpoint) and what those that run ahead have read;
  /// - *waiting*: changes of state, rows of sinks and messages that no commit has yet, and messages that are not delivered.
  ///
  /// Not counted: the chunk in hand, what waits in a `split`, what the handler itself keeps, frames of coroutines, buffers of the source,
  /// copies that the store and the sender make.
  ///
  /// When all of it is more than the budget, pulling from the source stops: a checkpoint is made at once, and the next chunk is read when
  /// what waited is committed, and enough of it delivered. So at most a chunk, and what comes of it, is held beside the budget; behind an
  /// operator that runs ahead (`prefetch`, `map_concurrent`), which then takes in a chunk at a time, up to three.
  /// When state alone is more than the budget, the partition halts with `errc::over_budget`, which names the operators that have most;
  /// what is done is committed before, and a restart with a larger budget goes on from there.
  ///
  /// What operators hold is counted once per chunk, to between half and twice of what it is; it is the metric `state_bytes`, with and
  /// without a budget.
  pipeline_builder& memory_budget(std::uint64_t bytes) {
    if (bytes == 0) {
      throw error(errc::invalid_pipeline, "pipeline: cannot be built", "memory_budget is 0 bytes, with which nothing could be read",
                  "give it as many bytes as a partition may take, or leave it out");
    }
    memory_budget_ = bytes;
    return *this;
  }
  /// Somewhere for rows to go: `sqlite::table`, `postgres::table`, `file::folder`, `console`, see `row_sink`. The handler names it:
  /// `context.sink<bar>("bars")`. What a pipeline promises is what its sinks do, and is logged when it starts.
  template <row_sink Sink> pipeline_builder& use_sink(std::string sink_name, Sink s) {
    static_assert(transactional_sink<Sink> || outside_sink<Sink>,
                  "weir: a transactional sink has store(), and write(rows) gives a store_write; any other gives an outside_write");
    check_name(sink_name, "sink");
    sinks_.push_back(std::make_shared<detail::declared_sink<Sink>>(std::move(sink_name), std::move(s)));
    return *this;
  }
  /// Somewhere for messages to go, and what delivers them: `context.send("bar:closed", value)` in the handler.
  template <class T> pipeline_builder& use_topic(std::string topic_name, topic<T> const& t) {
    check_name(topic_name, "topic");
    sinks_.push_back(std::make_shared<detail::declared_topic<T>>(std::move(topic_name), t));
    return *this;
  }
  /// A step that makes what operators keep in checkpoints of an earlier version of the program what those of this one read. In the order of
  /// the calls.
  pipeline_builder& use_migration(migration m) {
    migrations_.push_back(std::move(m));
    return *this;
  }
  /// What happens when the handler, or middleware around it, throws, in place of halting the partition at once. Of elements that have
  /// neither a payload nor are texts or whole numbers, dead letters need `text_of(element)`, a string; what it throws is a failure.
  pipeline_builder& on_failure(failure_policy p) { return on_failure(std::move(p), default_payload_text<R>()); }
  pipeline_builder& on_failure(failure_policy p, std::function<std::string(R const&)> text_of) {
    if (p.sink() && !text_of) {
      throw error(errc::invalid_pipeline, "pipeline: cannot be built", "its elements have no payload for a dead letter",
                  "give on_failure a second argument, a function that makes a text of an element");
    }
    failures_ = std::move(p);
    text_of_ = std::move(text_of);
    return *this;
  }
  /// The terminal stage: `(stream<R>, stream_context&) -> task<>`, or `(stream<R>, cancellation) -> task<>` where the essentials
  /// do. It is called once per partition and attempt; the callable is kept, so a lambda coroutine may capture.
  ///
  /// The run ends when the handler and everything it started beside itself have ended; it must not keep the stream anywhere else.
  /// Returning normally acknowledges what it was given. Throwing leaves the frontier at the last finished record; `on_failure` says what
  /// comes then.
  template <class H> pipeline_builder& use_stream(H h) {
    static_assert(context_handler<H, R> || plain_handler<H, R>,
                  "weir: a handler is (stream<R>, stream_context&) -> task<> or (stream<R>, cancellation) -> task<>");
    if (handler_) {
      throw error(errc::invalid_pipeline, "pipeline: cannot be built", "use_stream was called twice, and a pipeline has one terminal stage",
                  "put both into one handler, or use a second stream");
    }
    auto const kept = std::make_shared<H>(std::move(h));
    if constexpr (context_handler<H, R>) handler_ = [kept](stream<R> s, stream_context& c) { return (*kept)(std::move(s), c); };
    else if constexpr (plain_handler<H, R>)
      handler_ = [kept](stream<R> s, stream_context& c) { return (*kept)(std::move(s), c.cancellation()); };
    return *this;
  }

  /// For hosts. Topics are among the sinks.
  std::string const& name() const noexcept { return name_; }
  handler const& terminal() const noexcept { return handler_; }
  std::vector<middleware> const& chain() const noexcept { return middleware_; }
  std::optional<commit_policy> const& commit() const noexcept { return commit_; }
  std::optional<std::uint64_t> memory_budget() const noexcept { return memory_budget_; }
  std::vector<std::shared_ptr<detail::pipeline_sink>> const& sinks() const noexcept { return sinks_; }
  std::vector<migration> const& migrations() const noexcept { return migrations_; }
  failure_policy const& failures() const noexcept { return failures_; }
  std::function<std::string(R const&)> const& text() const noexcept { return text_of_; }

private:
  void check_name(std::string const& name, char const* of) const {
    std::string why;
    if (name.empty()) why = std::string("a ") + of + " has no name";
    for (auto const& other : sinks_)
      if (other->name() == name) why = "two sinks or topics are called " + name;
    if (!why.empty()) {
      throw error(errc::invalid_pipeline, "pipeline: cannot be built", std::move(why), "give each sink and topic a name of its own");
    }
  }
  std::string name_;
  handler handler_;
  std::vector<middleware> middleware_;
  std::optional<commit_policy> commit_;
  std::optional<std::uint64_t> memory_budget_;
  std::vector<std::shared_ptr<detail::pipeline_sink>> sinks_;
  std::vector<migration> migrations_;
  failure_policy failures_;
  std::function<std::string(R const&)> text_of_;
};

}  // namespace weir
