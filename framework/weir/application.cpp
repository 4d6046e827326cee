#include <weir/application.hpp>
#include <weir/detail/failure_parts.hpp>
#include <weir/detail/running_pipeline.hpp>
#include <weir/detail/signal_watch.hpp>
#include <weir/detail/stated_guarantee.hpp>
#include <weir/detail/watchdog.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/spawn.hpp>
#include <weir/status_service.hpp>
#include <weir/when_all.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

namespace weir {

// One run of all pipelines.
class application::running final : private timer {
public:
  // `status`: null: nobody looks. `given_up` hears that what was cancelled does not end.
  running(context& parent, settings const& s, std::vector<std::unique_ptr<detail::hosted_pipeline>> const& of, detail::pipeline_host* host,
          bool forgetful, application_status* status, std::function<void()> given_up)
      : all_(parent), settings_(s), host_(host), forgetful_(forgetful), status_(status), given_up_(std::move(given_up)) {
    auto const halts = [this](auto const& pipeline, auto const* partition, std::exception_ptr why) {
      halted(pipeline, partition, std::move(why));
    };
    for (auto const& pipeline : of) pipelines_.emplace_back(*pipeline, s, status, halts);
    if (!status) return;
    watchdog_.emplace(all_, *status, [this] {
      for (auto& p : pipelines_) p.tell();
    });
  }

  context& all() noexcept { return all_; }
  std::exception_ptr first_failure;

  task<> run() {
    std::vector<task<>> each;
    each.reserve(pipelines_.size());
    for (auto& p : pipelines_) each.push_back(p.run());
    if (host_) each.push_back(host_->run(settings_, forgetful_));
    auto together = when_all(std::move(each));
    co_await std::move(together).under(all_);
  }
  void drain() noexcept {
    if (draining_) return;
    draining_ = true;
    if (status_) status_->draining();
    for (auto& p : pipelines_) p.drain();
    if (host_) host_->drain();
    all_.clock().start(*this, settings_.drain_timeout);
  }
  void end() noexcept {
    all_.clock().stop(*this);
    watchdog_.reset();
  }
  // It was cancelled, at the end of its drain or by a signal.
  bool cut_short() const noexcept { return all_.cancelled(); }
  void cancel() noexcept {
    say_unfinished();
    all_.cancel();
    all_.clock().start(*this, settings_.cancel_timeout);
  }

private:
  void halted(detail::hosted_pipeline const& pipeline, detail::hosted_partition const* partition, std::exception_ptr why) {
    if (!first_failure) first_failure = why;
    std::string const reason = detail::reason_of(why);
    if (!partition) {
      all_.log().error("application: pipeline halted (" + pipeline.name() + ", its source says no more which partitions to read): " +
                       reason + "; what was being read is finished and committed");
      return;
    }
    auto const& about = partition->about();
    auto const at = partition->reached().frontier();
    all_.log().error("application: pipeline halted (" + std::string(about.pipeline()) + ", partition " + std::string(about.partition()) +
                     ", done up to " + (at ? at->text() : std::string("nothing")) + "): " + reason + "; a restart resumes there");
  }
  void fire() noexcept override {
    if (all_.cancelled()) {
      all_.log().error("application: what was cancelled does not end; it is given up (unfinished records come again after a restart)");
      say_unfinished();
      if (given_up_) given_up_();
      return;
    }
    all_.log().error("application: drain timed out; cancelling what still runs (unfinished records come again after a restart)");
    cancel();
  }
  // Which partitions still run, and what of them is not done.
  void say_unfinished() const {
    for (auto const& p : pipelines_) {
      p.each([this](detail::hosted_partition& one) {
        detail::progress const& at = one.reached();
        all_.log().error("application: a partition is unfinished (pipeline " + std::string(one.about().pipeline()) + ", partition " +
                         std::string(one.about().partition()) + ", done up to " + (at.frontier() ? at.frontier()->text() : "nothing") +
                         "): " + std::to_string(at.unfinished()) + " records that were given to the handler are not done");
      });
    }
  }

  context all_;
  settings const& settings_;
  std::list<detail::running_pipeline> pipelines_;
  detail::pipeline_host* host_;
  bool forgetful_;
  application_status* status_;
  std::function<void()> given_up_;
  std::optional<detail::watchdog> watchdog_;
  bool draining_ = false;
};

// Reaches a run from other threads.
class application::control {
public:
  std::function<void()> given_up;  // stops the loop of `run()`
  std::mutex guard;
  boost::asio::io_context* loop = nullptr;
  running* run = nullptr;
  std::shared_ptr<application_status> status;  // of the run under way, where somebody looks
  bool stop_requested = false;
  bool cut_short = false;  // the last run was
  bool reported = false;   // the failure that serve() throws has been logged
};

// While it lives, the application is shown, where somebody looks.
class application::shown {
public:
  explicit shown(application& of) : control_(*of.control_), service_(of.settings_.status.get()) {
    settings const& s = of.settings_;
    std::vector<pipeline_figures> all;
    for (auto const& p : of.pipelines_) {
      pipeline_figures& f = all.emplace_back();
      f.name = p->name();
      f.source = p->source_name();
      f.guarantee = detail::stated_guarantee(p->name(), p->sinks(), of.forgetful_);
      s.log.info("application: " + f.guarantee);
    }
    std::chrono::nanoseconds const run_limit = of.control_->loop ? std::chrono::minutes(1) : std::chrono::minutes(0);
    std::chrono::nanoseconds const stall_after = s.stall_after.value_or(run_limit);
    if (!service_ && stall_after.count() == 0) return;
    status_ = std::make_shared<application_status>(s.name);
    status_->begin(std::move(all), stall_after);
    tell(status_);
    if (service_) service_->start(status_, s.log);
  }
  shown(shown const&) = delete;
  shown& operator=(shown const&) = delete;
  ~shown() {
    if (service_) service_->stop();
    tell(nullptr);
  }
  application_status* status() const noexcept { return status_.get(); }

private:
  void tell(std::shared_ptr<application_status> to) noexcept {
    std::scoped_lock const alone(control_.guard);
    control_.status = std::move(to);
  }
  control& control_;
  status_service* service_;
  std::shared_ptr<application_status> status_;
};

application::application(settings s) : settings_(std::move(s)), control_(std::make_unique<control>()) {
  if (settings_.name.empty()) refuse("settings.name is empty; it is part of every checkpoint's key");
  if (settings_.drain_timeout <= std::chrono::nanoseconds(0)) refuse("settings.drain_timeout must be above zero");
  if (settings_.cancel_timeout <= std::chrono::nanoseconds(0)) refuse("settings.cancel_timeout must be above zero");
  if (settings_.stall_after && *settings_.stall_after < std::chrono::nanoseconds(0)) refuse("settings.stall_after must not be below zero");
  forgetful_ = !settings_.checkpoints;
  if (forgetful_) settings_.checkpoints = std::make_shared<memory_state_store>();
}
application::~application() = default;

void application::refuse(std::string const& why) { throw error(errc::invalid_pipeline, "application: cannot be built", why); }

void application::check(std::string const& name, bool terminal, commit_policy const& commit) const {
  if (name.empty()) refuse("a pipeline has no name, and its source has none either; call name() on it");
  if (!terminal) refuse("pipeline " + name + " has no terminal stage; give it a handler with use_stream");
  if (commit.records == 0) refuse("pipeline " + name + ": commit.records must be at least 1");
  if (commit.every <= std::chrono::nanoseconds(0)) refuse("pipeline " + name + ": commit.every must be above zero");
  for (auto const& p : pipelines_)
    if (p->name() == name) refuse("two pipelines are called " + name + "; their checkpoints would mix: give one another name()");
}

void application::check(std::string const& name, std::vector<std::shared_ptr<detail::pipeline_sink>> const& sinks) const {
  for (auto const& s : sinks) {
    if (!s->store() || settings_.checkpoints->does_writes_of(*s->store())) continue;
    refuse("sink " + s->name() + " of pipeline " + name + " writes with the commits of another store; make it from the one that is " +
           "settings.checkpoints" + (forgetful_ ? ", which is not set" : ""));
  }
}

void application::add(std::unique_ptr<detail::hosted_pipeline> p) {
  if (host_) refuse("use_aws_lambda was called, and an application that is invoked has no pipelines that run beside it");
  pipelines_.push_back(std::move(p));
}
void application::add(std::unique_ptr<detail::pipeline_host> h) {
  if (host_) refuse("use_aws_lambda was called twice; give all kinds of events to one call");
  if (!pipelines_.empty()) refuse("an application that is invoked (use_aws_lambda) has no pipelines that run beside it");
  host_ = std::move(h);
}

task<> application::serve() {
  if (pipelines_.empty() && !host_) refuse("it has no pipeline; call one of its use_... functions before running it");
  context& own = co_await current_context();
  own.environment().log = settings_.log;
  own.environment().metrics = settings_.metrics;
  if (!settings_.metrics && settings_.status) own.environment().metrics = settings_.status->metrics();
  shown const page(*this);
  running run(own, settings_, pipelines_, host_.get(), forgetful_, page.status(), control_->given_up);
  control_->run = &run;
  if (control_->stop_requested) run.drain();
  std::exception_ptr failure;
  try {
    task<> all = run.run();
    co_await std::move(all);
  } catch (...) {
    failure = std::current_exception();
  }
  control_->run = nullptr;
  control_->stop_requested = false;
  control_->cut_short = run.cut_short();
  run.end();
  if (failure) std::rethrow_exception(failure);
  if (run.first_failure) {
    control_->reported = true;
    std::rethrow_exception(run.first_failure);
  }
}

void application::stop_here() noexcept {
  control_->stop_requested = true;
  if (control_->run) control_->run->drain();
}

void application::stop() {
  std::scoped_lock const alone(control_->guard);
  if (control_->loop) boost::asio::post(*control_->loop, [this] { stop_here(); });
  else stop_here();
}

// The thread of the run is not given back: it can neither end its coroutines nor say so itself.
void application::end_here() noexcept {
  try {
    settings_.log.error("application: the thread is not given back; the program ends here (unfinished records come again after a restart)");
    std::shared_ptr<application_status> status;
    {
      std::scoped_lock const alone(control_->guard);
      status = control_->status;
    }
    std::chrono::nanoseconds const now = std::chrono::steady_clock::now().time_since_epoch();
    if (status)
      for (partition_figures const& p : status->look(now).partitions) settings_.log.error("application: " + p.text());
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory to say so
  }
  std::_Exit(exit_unfinished);
}

int application::run() {
  boost::asio::io_context loop(1);
  std::atomic<int> caught = 0;
  bool failed = false;
  {
    std::scoped_lock const alone(control_->guard);
    control_->loop = &loop;
  }
  bool given_up = false;
  control_->given_up = [&] {
    given_up = true;
    loop.stop();
  };
  auto const on_signal = [&](int signal, int before) {
    if (before == 0) caught = signal;
    boost::asio::post(loop, [this, signal, before] {
      if (before == 0) {
        settings_.log.warning("application: draining (signal " + std::to_string(signal) + "); a second one cancels");
        stop_here();
      } else if (control_->run) {
        settings_.log.warning("application: cancelled by another signal");
        control_->run->cancel();
      }
    });
    // By then the thread has given up what does not end, if it is given back at all.
    std::chrono::nanoseconds const longest = std::chrono::hours(24 * 365);
    std::chrono::nanoseconds const cancelling = 2 * std::min(settings_.cancel_timeout, longest);
    return before == 0 ? cancelling + std::min(settings_.drain_timeout, longest) : cancelling;
  };
  detail::signal_watch const signals(on_signal, [this] { end_here(); });
  spawn(loop, serve(), [&](std::exception_ptr const& failure) {
    if (!failure) return;
    failed = true;
    if (control_->reported) return;
    try {
      std::rethrow_exception(failure);
    } catch (std::exception const& e) {
      settings_.log.error(e.what());
    } catch (...) {
      settings_.log.error("application: ended by an exception that is no std::exception");
    }
  });
  loop.run();
  {
    std::scoped_lock const alone(control_->guard);
    control_->loop = nullptr;
  }
  control_->given_up = nullptr;
  if (given_up) control_->run = nullptr;  // it goes with the loop
  if (given_up || control_->cut_short) return exit_unfinished;
  if (failed) return 1;
  return caught == 0 ? 0 : 128 + caught;
}

}  // namespace weir
