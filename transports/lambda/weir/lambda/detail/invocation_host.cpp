#include <weir/lambda/detail/invocation_host.hpp>

#include <weir/detail/failure_parts.hpp>
#include <weir/detail/pipeline_topic.hpp>
#include <weir/detail/stated_guarantee.hpp>
#include <weir/error.hpp>
#include <weir/lambda/batch_response.hpp>
#include <weir/lambda/detail/invocation_run.hpp>
#include <weir/lambda/detail/stateless_store.hpp>
#include <weir/lambda/detail/window_state.hpp>
#include <weir/lambda/runtime_client.hpp>

#include <cstddef>
#include <exception>
#include <utility>

namespace weir::lambda::detail {
namespace {

// Of a window's state, from where on it is said how large it may become.
constexpr std::size_t large_state = batch_response::most_state / 4 * 3;

[[noreturn]] void refuse_pipeline(std::string why, char const* advice) {
  throw error(weir::errc::invalid_pipeline, "lambda: cannot be built", std::move(why), advice);
}

// What a pipeline declares and nobody could keep.
void check_kept(event_pipeline const& p, bool forgetful) {
  std::string const which = "pipeline " + p.name();
  bool const queue = p.kind() == event_source::sqs;
  if (p.rules().parallelization_factor > 1 && !forgetful) {
    refuse_pipeline(which +
                        " has a parallelization_factor above 1, and settings.checkpoints is set: several batches of a shard at a time "
                        "have no common frontier",
                    "leave one of them out");
  }
  for (auto const& s : p.sinks()) {
    if ((queue || forgetful) && dynamic_cast<weir::detail::pipeline_topic const*>(s.get())) {
      refuse_pipeline(which + " has the topic " + s->name() + ", whose messages are kept in checkpoints, and there are none" +
                          (queue ? " of queues" : ", since settings.checkpoints is not set"),
                      "write them to a sink that sends them itself");
    }
    if (queue && s->store()) {
      refuse_pipeline(which + " has the sink " + s->name() + ", which writes with checkpoints, and there are none of queues",
                      "write to a sink that writes by itself, by an id of the message");
    }
  }
}

void check_apart(event_pipeline const& a, event_pipeline const& b) {
  if (a.name() == b.name()) {
    refuse_pipeline("two pipelines are called " + a.name() + "; their checkpoints would mix",
                    "give one another name(), or each the source it is for");
  }
  if (a.kind() == b.kind() && name_in_arn(a.rules().source) == name_in_arn(b.rules().source) &&
      (a.rules().source == b.rules().source || !a.rules().source.starts_with("arn:") || !b.rules().source.starts_with("arn:")))
    refuse_pipeline("the pipelines " + a.name() + " and " + b.name() + " take the same events", "give each the source it is for");
}

std::string origin_of(event const& e) {
  std::string out(to_string(e.source()));
  if (!e.source_arn().empty()) out.append(", ").append(e.source_arn());
  return out;
}

}  // namespace

invocation_host::invocation_host(options o, std::vector<std::unique_ptr<event_pipeline>> pipelines, bool forgetful)
    : options_(std::move(o)), pipelines_(std::move(pipelines)), forgets_(std::make_shared<stateless_store>()) {
  if (options_.margin <= std::chrono::nanoseconds(0)) {
    throw error(weir::errc::invalid_option, "lambda: cannot be built", "margin is not above zero",
                "the answer has to be there before the deadline");
  }
  if (pipelines_.empty()) refuse_pipeline("use_aws_lambda was given no events", "call one of its use_... functions");
  for (std::size_t i = 0; i != pipelines_.size(); ++i) {
    check_kept(*pipelines_[i], forgetful);
    for (std::size_t j = 0; j != i; ++j) check_apart(*pipelines_[j], *pipelines_[i]);
  }
}

void invocation_host::drain() noexcept {
  draining_ = true;
  if (taking_) taking_->cancel();
}

task<> invocation_host::run(settings const& s, bool forgetful) {
  // A drain that was asked for before this holds, too.
  struct again {
    explicit again(bool& f) noexcept : flag(f) {}
    again(again const&) = delete;
    again& operator=(again const&) = delete;
    ~again() { flag = false; }
    bool& flag;
  } const afterwards(draining_);
  for (auto const& p : pipelines_) {
    s.log.info("lambda: " + weir::detail::stated_guarantee(p->name(), p->sinks(), false) +
               (forgetful ? "; nothing is kept between invocations, since settings.checkpoints is not set" : ""));
  }
  if (!options_.service) options_.service = std::make_shared<runtime_client>();
  runtime& by = *options_.service;
  co_await start(by);
  while (!draining_) {
    task<std::optional<invocation>> taking = take(by);
    std::optional<invocation> const what = co_await std::move(taking);
    if (!what) co_return;
    task<reply> handling = handle(s, *what, forgetful);
    reply answer = co_await std::move(handling);
    task<> saying = say(by, what->request_id, std::move(answer));
    co_await std::move(saying);
  }
}

task<> invocation_host::start(runtime& by) {
  if (!options_.on_start) co_return;
  std::exception_ptr failure;
  try {
    task<> starting = options_.on_start();
    co_await std::move(starting);
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) co_return;
  function_error why("Weir.StartFailed", weir::detail::reason_of(failure));
  task<> saying = by.fail_init(std::move(why));
  co_await std::move(saying);
  std::rethrow_exception(failure);
}

// Null: the application drains, or there are no more.
task<std::optional<invocation>> invocation_host::take(runtime& by) {
  context& own = co_await current_context();
  context branch(own);
  taking_ = &branch;
  std::optional<invocation> out;
  std::exception_ptr failure;
  try {
    task<std::optional<invocation>> taking = by.next();
    out = co_await std::move(taking).under(branch);
  } catch (...) {
    failure = std::current_exception();
  }
  taking_ = nullptr;
  bool const drained = draining_ && !own.cancelled() && weir::detail::code_of(failure) == condition::cancelled;
  if (failure && !drained) std::rethrow_exception(failure);
  co_return out;
}

task<invocation_host::reply> invocation_host::handle(settings const& s, invocation const& what, bool forgetful) {
  context const& own = co_await current_context();
  reply out;
  std::exception_ptr failure;
  try {
    event e(what.payload);
    event_pipeline const& pipeline = pipeline_for(e);
    task<reply> running = run_pipeline(s, pipeline, std::move(e), what, forgetful);
    out = co_await std::move(running);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    std::string why = weir::detail::reason_of(failure);
    own.log().error("lambda: an invocation failed (request " + what.request_id + "): " + why + "; all of its records come again");
    out.failure = function_error("Weir.InvocationFailed", std::move(why));
  }
  co_return out;
}

event_pipeline const& invocation_host::pipeline_for(event const& e) const {
  event_pipeline const* any = nullptr;
  for (auto const& p : pipelines_) {
    if (p->kind() != e.source()) continue;
    if (p->rules().names(e)) return *p;
    if (p->rules().source.empty()) any = p.get();
  }
  if (any) return *any;
  throw error(weir::errc::invalid_pipeline, "lambda: cannot handle an event", "no pipeline takes such (" + origin_of(e) + ")",
              "call the use_... function of its kind in use_aws_lambda, or take the event source mapping away");
}

task<invocation_host::reply> invocation_host::run_pipeline(settings const& s, event_pipeline const& pipeline, event e,
                                                           invocation const& what, bool forgetful) {
  context& own = co_await current_context();
  bool const kept = !forgetful && pipeline.kind() != event_source::sqs;
  if (kept && pipeline.kind() != event_source::kafka && e.shard_id().empty()) {
    throw error(weir::errc::invalid_pipeline, "lambda: cannot handle an event",
                "its records do not say their shard, as those of DynamoDB never do, so there is no checkpoint to go on from (pipeline " +
                    pipeline.name() + ")",
                "leave settings.checkpoints out");
  }
  std::optional<window_state> window;
  if (!kept && e.window()) {
    window.emplace(*e.window(), pipeline.key(s, e, std::string(e.shard_id())));
    co_await window->restore();
  }
  settings with = s;
  if (!kept) with.checkpoints = window ? window->store() : forgets_;
  invocation_run run(own, what, std::move(e), std::move(with), kept || (window && !window->closes()), options_.margin);
  task<> running = pipeline.run(run);
  co_await std::move(running);
  if (window && (!window->closes() || run.answer().failures() != 0)) {
    std::string const state = co_await window->json();
    if (state.size() > large_state) {
      own.log().warning("lambda: the state of a window has " + std::to_string(state.size()) + " bytes (" + window->about() + "); above " +
                        std::to_string(batch_response::most_state) + " its shard stands still");
    }
    run.answer().state(state);
  }
  reply out;
  std::size_t const open = run.answer().failures();
  if (open == 0 && !run.failure().empty()) {
    out.failure = function_error("Weir.HandlerFailed", run.failure());
  } else if (open != 0 && !pipeline.rules().report_batch_item_failures) {
    own.log().warning("lambda: the whole invocation fails (pipeline " + pipeline.name() + ", request " + what.request_id +
                      "), since report_batch_item_failures is false: what is done comes again, too");
    out.failure = function_error("Weir.BatchNotDone", run.failure().empty() ? "the time was up" : run.failure());
  } else {
    if (open != 0) {
      own.log().warning("lambda: records are reported as not done (pipeline " + pipeline.name() + ", request " + what.request_id +
                        "). Unless the event source mapping has ReportBatchItemFailures among its function response types they are "
                        "lost now; then set report_batch_item_failures to false");
    }
    out.answer = run.answer().json();
  }
  co_return out;
}

// An answer that is too large can still be replaced by a failure.
task<> invocation_host::say(runtime& by, std::string request_id, reply r) {
  if (!r.failure) {
    try {
      task<> saying = by.respond(request_id, std::move(r.answer));
      co_await std::move(saying);
      co_return;
    } catch (error const& e) {
      if (e.code() != weir::errc::too_large) throw;
      r.failure = function_error("Weir.AnswerTooLarge", e.what());
    }
  }
  task<> saying = by.fail(std::move(request_id), *std::move(r.failure));
  co_await std::move(saying);
}

}  // namespace weir::lambda::detail
