#pragma once
#include <weir/context.hpp>
#include <weir/detail/pipeline_host.hpp>
#include <weir/lambda/detail/event_pipeline.hpp>
#include <weir/lambda/event.hpp>
#include <weir/lambda/invocation.hpp>
#include <weir/lambda/options.hpp>
#include <weir/lambda/runtime.hpp>
#include <weir/settings.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::lambda::detail {

// The loop of a function: takes an invocation, runs the pipeline that its event is for, answers.
class invocation_host final : public weir::detail::pipeline_host {
public:
  // `forgetful`: nothing is kept between invocations. Throws errc::invalid_option and invalid_pipeline for what cannot work.
  invocation_host(options o, std::vector<std::unique_ptr<event_pipeline>> pipelines, bool forgetful);

  task<> run(settings const& s, bool forgetful) override;
  void drain() noexcept override;

private:
  // What is said of an invocation: an answer, or that it failed.
  struct reply {
    std::string answer;
    std::optional<function_error> failure;
  };
  task<> start(runtime& by);
  task<std::optional<invocation>> take(runtime& by);
  task<reply> handle(settings const& s, invocation const& what, bool forgetful);
  task<reply> run_pipeline(settings const& s, event_pipeline const& pipeline, event e, invocation const& what, bool forgetful);
  static task<> say(runtime& by, std::string request_id, reply r);
  event_pipeline const& pipeline_for(event const& e) const;

  options options_;
  std::vector<std::unique_ptr<event_pipeline>> pipelines_;
  std::shared_ptr<state_store> forgets_;
  context* taking_ = nullptr;
  bool draining_ = false;
};

}  // namespace weir::lambda::detail
