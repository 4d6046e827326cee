#pragma once
#include <weir/application.hpp>
#include <weir/commit_policy.hpp>
#include <weir/state_store.hpp>
#include <weir/stream.hpp>
#include <weir/stream_context.hpp>
#include <weir/task.hpp>
#include <weir/testing/appending_sink.hpp>
#include <weir/testing/delivery_report.hpp>
#include <weir/testing/delivery_trial.hpp>
#include <weir/testing/detail/delivery_run.hpp>
#include <weir/testing/idempotent_sink.hpp>
#include <weir/testing/kept_outside.hpp>
#include <weir/testing/mishap.hpp>
#include <weir/testing/script.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::testing {

/// A handler under test: `(stream<T>, stream_context&, Sink&) -> task<>`, which writes to the sink whatever effects it has.
template <class H, class T, class Sink>
concept delivers_to = requires(H& h, stream<T> s, stream_context& c, Sink& out) {
  { h(std::move(s), c, out) } -> std::same_as<task<>>;
};

/// Checks that a pipeline loses nothing and has each effect once, whatever goes wrong.
/// ```
/// testing::delivery_check check(script<int>().elements({1, 2, 3}),
///                               [](stream<int> s, stream_context&, testing::idempotent_sink& out) -> task<> {
///                                 auto squares = std::move(s) | map([](int x) { return std::pair(x, x * x); });
///                                 while (auto* x = co_await squares.next()) co_await out.write(text(x->first), text(x->second));
///                               });
/// auto const report = check.expect({{"1", "1"}, {"2", "4"}, {"3", "9"}}).run();
/// INFO(report.text());
/// CHECK(report.passed());
/// ```
/// `run` lets the pipeline run without a mishap first. Then it does it again and again in simulated worlds of their own, and each time
/// something else goes wrong: the process crashes at each step of the scheduler, and when all is done; each commit, write and read
/// fails, loses its answer, is delayed, is doubled; then two of these, drawn at random. The process is started again with the
/// same store and sinks until its data has ended, and what is in the sinks then is compared:
/// - `idempotent_sink`: exactly the expected contents, and never two values for one identity.
/// - `appending_sink`: each expected value at least once (`exactly_once()`: once), and no other. The rows of `trial.table()` are among
/// them, and the messages to `trial.receiver()`, once per identity, and in order. So are the rows of a `kept_outside`.
///
/// Source, sinks and store give way before and after each call, so that a crash can come between any two things that outlive it; between
/// other places of suspension nothing differs that a restart could see. A process that fails is started again too, as a supervisor does:
/// the check fails when it never ends, or stalls.
///
/// What a handler keeps must be in its frames: what it only refers to outlives a crash, which it should not. Each start has a copy of it.
/// Time: some hundreds of trials per hundred steps, each about as long as the run itself; 30 elements are plenty.
/// Thread-safety: none; checks are independent of each other.
class delivery_check {
public:
  /// Checks any application. `build(application&, delivery_trial&)` gives it pipelines that read from `trial.source(script)` and write to
  /// `trial.idempotent()`, `trial.appending()`, a sink `trial.table()` or a topic to `trial.receiver()`; it is called for each start.
  explicit delivery_check(std::function<void(application&, delivery_trial&)> build);
  /// Checks a pipeline that reads `input`. The handler says by its third parameter which of the sinks it writes to.
  template <class T, class H>
    requires delivers_to<H, T, idempotent_sink> || delivers_to<H, T, appending_sink>
  delivery_check(script<T> input, H handler) : delivery_check(one_pipeline(std::move(input), std::move(handler))) {}

  /// What `idempotent_sink` must hold in the end, from an independent source. Default: what it holds when nothing goes wrong, which must
  /// be something.
  delivery_check& expect(std::map<std::string, std::string> by_identity);
  /// The same for `appending_sink`, in any order.
  delivery_check& expect_list(std::vector<std::string> values);
  /// `appending_sink` must hold each value once. Only a transaction that takes the frontier along can do that, or identities.
  delivery_check& exactly_once();
  /// How often it commits. Default: after every 2 records and every second, so that commits come at many places.
  delivery_check& commit(commit_policy p);
  /// Puts a store between the pipeline and the trial's, for each start anew.
  delivery_check& store(std::function<std::shared_ptr<state_store>(std::shared_ptr<state_store>)> wrap);
  /// Of the order of events, and of what is drawn at random. Default: 1.
  delivery_check& seed(std::uint64_t s);
  /// Where a sink keeps its rows, and the store its checkpoints, when that is outside of the trial: `idempotent()` and the others of the
  /// trial need not be told of.
  delivery_check& kept_in(std::shared_ptr<kept_outside> place);
  /// How many of the trials with one mishap, drawn at random: where each takes long, as with a real server. Default: all.
  delivery_check& singles(std::size_t n);
  /// How many trials with two mishaps. Default: 100.
  delivery_check& pairs(std::size_t n);

  /// Everything; up to the first trial that fails, which is made as short as it can be. Throws what building the application throws.
  delivery_report run() const;
  /// This trial only: to look into what `run` has found.
  delivery_report run_only(delivery_schedule const& mishaps) const;

private:
  class search;
  template <class T, class H> static std::function<void(application&, delivery_trial&)> one_pipeline(script<T> input, H handler) {
    return [input = std::move(input), handler = std::move(handler)](application& app, delivery_trial& trial) {
      app.use_source(trial.source(input), [&](auto& pipeline) {
        if constexpr (delivers_to<H, T, idempotent_sink>) pipeline.use_stream(bound<T>(handler, trial.idempotent()));
        else pipeline.use_stream(bound<T>(handler, trial.appending()));
      });
    };
  }
  template <class T, class H, class Sink> static auto bound(H handler, Sink& out) {
    return [handler = std::move(handler), &out](stream<T> s, stream_context& c) mutable { return handler(std::move(s), c, out); };
  }

  detail::delivery_plan plan_;
  std::optional<std::map<std::string, std::string>> keyed_;
  std::optional<std::vector<std::string>> listed_;
  bool once_ = false;
  std::size_t singles_ = std::numeric_limits<std::size_t>::max(), pairs_ = 100;
};

/// `delivery_check` with its defaults.
template <class T, class H>
  requires delivers_to<H, T, idempotent_sink> || delivers_to<H, T, appending_sink>
delivery_report check_delivery(script<T> input, H handler) {
  return delivery_check(std::move(input), std::move(handler)).run();
}

}  // namespace weir::testing
