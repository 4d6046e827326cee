#include <weir/eventhubs/detail/balance_loop.hpp>

#include <weir/context.hpp>
#include <weir/metrics.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>
#include <weir/timeout.hpp>
#include <weir/when_any.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>

namespace weir::eventhubs::detail {
namespace {

using namespace std::chrono_literals;

constexpr unsigned tries_to_begin = 5;

task<> pause_for(std::chrono::nanoseconds d) { co_await sleep_for(d); }
task<> change_of(weir::detail::wait_list& list, bool const& changed) {
  if (!changed) co_await list.wait();
}

}  // namespace

balance_loop::balance_loop(balance_subject about, std::string name, balancer_options options, std::uint64_t seed, environment& env)
    : about_(std::move(about)), options_(options), env_(env), balancer_(std::move(name), options, seed) {}

void balance_loop::wake() {
  changed_ = true;
  changes_.wake();
}

task<> balance_loop::run() {
  task<> first = begin();
  co_await std::move(first);
  auto body = [this](async_scope& scope) { return work(scope); };
  task<> all = with_scope(std::move(body));
  co_await std::move(all);
}

// A first look: what fails for a while is tried again.
task<> balance_loop::begin() {
  retry_policy const again = retry_policy().attempts(tries_to_begin).first_delay(500ms);
  for (unsigned failed = 1; !draining_; ++failed) {
    std::exception_ptr failure;
    try {
      task<> looking = look_once();
      co_await std::move(looking);
      co_return;
    } catch (error& e) {
      if (e.code() == weir::condition::cancelled) throw;
      e.with_stream(about_.event_hub);
      failure = std::current_exception();
    }
    std::optional<std::chrono::nanoseconds> const delay = again.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    task<> waiting = wait(*delay);
    co_await std::move(waiting);
  }
}

task<> balance_loop::work(async_scope& scope) {
  for (;;) {
    changed_ = false;
    spawn_due(scope);
    if (draining_ && balancer_.held() == 0 && sending_ == 0) {
      scope.cancel();  // a look
      co_return;
    }
    time next = balancer_.next_due();
    if (!looking_ && !draining_) next = std::min(next, look_at());
    time const here = now();
    task<> waiting = wait(next <= here ? time(1ms) : std::min<time>(next - here, 1h));
    co_await std::move(waiting);
  }
}

// For so long, or until something changes.
task<> balance_loop::wait(time longest) {
  task<any_result<std::tuple<outcome<void>, outcome<void>>>> first = when_any(change_of(changes_, changed_), pause_for(longest));
  auto const ended = co_await std::move(first);
  context const& own = co_await current_context();
  own.cancellation().throw_if_requested();
}

// Everything that may be done now. What it starts may end at once, and be known here the next time.
void balance_loop::spawn_due(async_scope& scope) {
  std::vector<ownership_write> writes = balancer_.due(now());
  tell_events();
  for (ownership_write& w : writes) scope.spawn(send(std::move(w)));
  if (looking_ || draining_ || now() < look_at()) return;
  looking_ = true;
  scope.spawn(look());
}

balance_loop::time balance_loop::look_at() const noexcept { return std::max(look_again_, balancer_.look_due()); }

void balance_loop::tell_events() {
  for (balance_event const& e : balancer_.take_events()) {
    bool const gained = e.what == balance_event::kind::gained;
    std::string const where = "(stream " + about_.event_hub + ", partition " + e.partition + ", consumer " + balancer_.name() + ")";
    if (gained) env_.log.info("event hubs: a partition was claimed " + where);
    else env_.log.warning("event hubs: a partition is lost " + where + ": " + e.why + "; nothing is committed for it any more");
    if (env_.metrics) {
      std::array const labels{metric_label("stream", about_.event_hub), metric_label("partition", e.partition),
                              metric_label("change", gained ? "gained" : "lost")};
      env_.metrics->add(metric::lease_changes_total, 1, labels);
    }
    about_.told(e);
  }
}

// Each time there are four times as many.
void balance_loop::say_held_up(std::string_view what, unsigned failures, error const& why) const {
  if (!std::has_single_bit(failures) || std::countr_zero(failures) % 2 != 0 || failures == 1) return;
  env_.log.warning("event hubs: " + std::string(what) + " is held up (failed " + std::to_string(failures) +
                   " times in a row): it is tried again; " + why.what());
}

task<> balance_loop::look() {
  context const& own = co_await current_context();
  try {
    task<> looking = look_once();
    co_await std::move(looking);
    failed_looks_ = 0;
  } catch (error& e) {
    if (own.cancelled()) throw;
    look_again_ = now() + std::min<time>(options_.interval, 500ms * (1U << std::min(failed_looks_, 6U)));
    say_held_up("looking who has which partition", ++failed_looks_, e.with_stream(about_.event_hub));
  }
  looking_ = false;
  wake();
}

task<> balance_loop::look_once() {
  task<std::vector<std::string>> asking = about_.partitions();
  std::vector<std::string> const all = co_await std::move(asking);
  balancer_.know(all);
  time const began = now();
  task<ownership_list> listing = about_.service->list();
  ownership_list const found = co_await std::move(listing);
  balancer_.saw(found, began, now());
}

task<> balance_loop::send(ownership_write w) {
  context const& own = co_await current_context();
  ++sending_;
  std::optional<ownership_write_result> result;
  std::exception_ptr failure;
  try {
    task<ownership_write_result> writing = with_timeout(std::min(options_.interval, options_.expiry / 4), about_.service->write(w));
    result = co_await std::move(writing);
    failed_writes_ = 0;
  } catch (error& e) {
    failure = std::current_exception();
    if (!own.cancelled()) say_held_up("writing who has a partition", ++failed_writes_, e.with_partition(w.before.partition));
  } catch (...) {
    failure = std::current_exception();
  }
  --sending_;
  if (!result) balancer_.unknown(w, now());
  else if (result->done) balancer_.done(w, std::move(result->etag), now());
  else balancer_.refused(w, std::move(result->stored), now());
  wake();
  if (failure && own.cancelled()) std::rethrow_exception(failure);
}

void balance_loop::let_go(std::string const& partition, time rests_until) {
  balancer_.let_go(partition, rests_until);
  wake();
}

void balance_loop::drain() {
  draining_ = true;
  balancer_.end();
  wake();
}

}  // namespace weir::eventhubs::detail
