#pragma once
#include <weir/clock.hpp>
#include <weir/context.hpp>
#include <weir/detail/hosted_pipeline.hpp>
#include <weir/lambda/batch_response.hpp>
#include <weir/lambda/event.hpp>
#include <weir/lambda/invocation.hpp>
#include <weir/settings.hpp>
#include <weir/stream_context.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace weir::lambda::detail {

// One invocation while its pipeline runs: how long it may, what runs of it, and what became of that.
class invocation_run final : private timer {
public:
  // `s`: with the store that this invocation commits to. `goes_on`: that has its checkpoints for the next one.
  invocation_run(context& own, invocation const& of, event e, settings s, bool goes_on, std::chrono::nanoseconds margin);
  ~invocation_run();

  event const& what() const noexcept { return event_; }
  settings const& with() const noexcept { return settings_; }
  bool goes_on() const noexcept { return goes_on_; }
  // What handlers are told of it.
  stream_context::metadata_map notes() const;
  // The time is up: nothing is begun any more.
  bool stopping() const noexcept { return stopping_; }

  // Runs one part of it to its end. False: that failed, which is logged.
  task<bool> run(weir::detail::hosted_partition& part, std::function<task<>()> save);
  // A part came to its end, but not all it had is done.
  void held_back(weir::detail::hosted_partition const& part);

  batch_response& answer() noexcept { return answer_; }
  // Why the first part failed, or what was not done; empty: nothing failed.
  std::string const& failure() const noexcept { return failure_; }

private:
  struct under_way {
    weir::detail::hosted_partition* part;
    context* branch;
  };
  void fire() noexcept override;
  void failed(weir::detail::hosted_partition const& part, std::string what);
  std::string where(weir::detail::hosted_partition const& part) const;

  context& own_;
  invocation const& invocation_;
  event event_;
  settings settings_;
  bool const goes_on_;
  std::chrono::nanoseconds const margin_;
  std::list<under_way> running_;
  bool stopping_ = false, cancelled_ = false;
  batch_response answer_;
  std::string failure_;
};

}  // namespace weir::lambda::detail
