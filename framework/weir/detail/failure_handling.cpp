#include <weir/detail/failure_handling.hpp>

#include <weir/clock.hpp>
#include <weir/detail/failure_parts.hpp>
#include <weir/metrics.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace weir::detail {
namespace {

task<> pause(std::chrono::nanoseconds delay) { co_await sleep_for(delay); }

}  // namespace

failure_handling::failure_handling(failure_policy const& policy, progress& p, stream_context& about)
    : policy_(policy), progress_(p), about_(about) {
  tally_ = policy.open_tally("dead letters of " + p.key().stream + ", partition " + p.key().partition);
}

void failure_handling::count() noexcept {
  if (tally_) tally_->in = tally_->dead = progress_.dead();
}

bool failure_handling::goes_on() noexcept {
  portion& had = progress_.handing_out();
  if (!had.ended() || progress_.stopping()) return false;
  note_frontier();
  if (had.in_doubt() != 0) {  // operators do not finish any before they have more
    held_back_ = had.limit();
    had.limit(had.limit() > portion::all / 2 ? portion::all : 2 * had.limit());
  } else {
    next_portion(had.handed());
  }
  return true;
}

task<> failure_handling::after(std::exception_ptr failure) {
  bool const store_failed = progress_.verdict() == progress::store_verdict::failed;
  if (progress_.verdict() != progress::store_verdict::rejected) {
    std::exception_ptr refusal;
    try {
      co_await progress_.commit();
    } catch (...) {
      refusal = std::current_exception();
    }
    if (refusal && progress_.verdict() == progress::store_verdict::rejected) failure = refusal;
  }
  if (progress_.stopping() || about_.cancellation().requested()) std::rethrow_exception(failure);
  note_frontier();
  ++failed_;
  std::optional<std::chrono::nanoseconds> const delay = policy_.retries().after(failure, failed_);
  bool const blamed = blames_record(failure, store_failed);
  if (delay) {
    if (blamed) (void)narrow();
    bool const waited = co_await wait(*delay, failure);
    if (!waited) std::rethrow_exception(failure);
    co_return;
  }
  if (!blamed) std::rethrow_exception(failure);
  portion const& had = progress_.handing_out();
  bool const rejected = progress_.verdict() == progress::store_verdict::rejected;
  if (had.alone() && (rejected || !reached_ || *reached_ < had.alone()->position)) co_await give_up(failure);
  else if (!narrow()) std::rethrow_exception(failure);
}

// Whether some record may be what is wrong.
bool failure_handling::blames_record(std::exception_ptr const& failure, bool store_failed) const noexcept {
  if (!policy_.sink() || store_failed) return false;
  std::error_code const code = code_of(failure);
  return code != condition::fenced && code != condition::cancelled && code != errc::over_budget;
}

std::uint64_t failure_handling::in_doubt() noexcept {
  portion const& had = progress_.handing_out();
  return progress_.verdict() == progress::store_verdict::rejected ? had.uncommitted() : had.in_doubt();
}

void failure_handling::note_frontier() noexcept {
  bool const taken_back = progress_.verdict() == progress::store_verdict::rejected;
  std::optional<position> const& now = taken_back ? progress_.committed() : progress_.frontier();
  moved_ = now != reached_;
  if (!moved_) return;
  reached_ = now;
  failed_ = in_a_row_ = 0;
  held_back_ = 0;
}

// So many of the window are done with.
void failure_handling::next_portion(std::uint64_t done) noexcept {
  window_ -= std::min(window_, done);
  progress_.handing_out().limit(window_ == 0 ? portion::all : std::max<std::uint64_t>(1, window_ / 2));
}

// The next attempt gets less. False: it cannot, nothing that can be handed out is to blame.
bool failure_handling::narrow() noexcept {
  portion& had = progress_.handing_out();
  std::uint64_t const doubt = in_doubt();
  if (doubt == 0 || had.of_one()) return false;
  bool const first = had.limit() == portion::all;
  std::uint64_t const less = first || moved_ ? 1 : had.limit() / 2;
  if (less <= held_back_) return false;
  window_ = first ? doubt : std::min(window_, doubt);
  had.limit(less);
  return true;
}

// False: the partition is to stop.
task<bool> failure_handling::wait(std::chrono::nanoseconds delay, std::exception_ptr const& failure) {
  about_.log().warning("handler: failed (" + where() + "): " + reason_of(failure) + "; running it again from there");
  progress_.report().waits();
  context& own = co_await current_context();
  progress::intake until_stop(progress_, own);
  bool stopped = false;
  try {
    task<> waiting = pause(delay);
    co_await std::move(waiting).under(until_stop.branch());
  } catch (error const& e) {
    stopped = !own.cancelled() && e.code() == condition::cancelled;
    if (!stopped) throw;
  }
  co_return !stopped;
}

task<> failure_handling::give_up(std::exception_ptr failure) {
  if (in_a_row_ == policy_.most_in_a_row()) {
    throw located(
        error(errc::handler_failed, "handler: cannot go on",
              std::to_string(in_a_row_) +
                  " records in a row became dead letters, and the next one fails too, so that it is hardly they: " + reason_of(failure),
              "correct what they have in common and run it again; replay the dead letters then"));
  }
  dead_letter about = letter(failure);
  position const at = about.position;
  about_.log().warning("handler: failed " + std::to_string(failed_) + " times (" + where() + "): " + about.error +
                       "; the record that ends at " + at.text() + " becomes a dead letter");
  std::shared_ptr<store_write> row;
  std::exception_ptr not_taken;
  try {
    task<std::shared_ptr<store_write>> taking = policy_.sink()->take(std::move(about));
    row = co_await std::move(taking);
  } catch (...) {
    not_taken = std::current_exception();
  }
  if (not_taken) {
    std::error_code const code = code_of(not_taken);
    throw located(error(code ? code : make_error_code(errc::handler_failed), "dead letter: cannot be kept",
                        reason_of(not_taken) + " (the record failed with: " + reason_of(failure) + ")", "the record comes again"));
  }
  progress_.bury(at, std::move(row));
  std::array const labels{metric_label("pipeline", about_.pipeline()), metric_label("stream", about_.stream()),
                          metric_label("partition", about_.partition())};
  if (about_.metrics()) about_.metrics()->add(metric::dead_letter_total, 1, labels);
  ++in_a_row_;
  failed_ = 0;
  reached_ = at;
  next_portion(1);
}

error failure_handling::located(error e) const {
  return std::move(e)
      .with_stream(progress_.key().stream)
      .with_partition(progress_.key().partition)
      .with_position(progress_.handing_out().alone()->position.text())
      .with_detail("pipeline " + progress_.key().pipeline);
}

dead_letter failure_handling::letter(std::exception_ptr const& failure) const {
  portion::single const& record = *progress_.handing_out().alone();
  dead_letter out;
  out.pipeline = progress_.key().pipeline;
  out.stream = progress_.key().stream;
  out.partition = progress_.key().partition;
  out.position = record.position;
  out.payload = record.payload;
  out.error = reason_of(failure);
  if (std::error_code const code = code_of(failure)) out.code = std::string(code.category().name()) + ":" + std::to_string(code.value());
  out.attempts = failed_;
  out.died_at = about_.clock().now();
  return out;
}

std::string failure_handling::where() const {
  return "pipeline " + std::string(about_.pipeline()) + ", partition " + std::string(about_.partition()) + ", done up to " +
         (reached_ ? reached_->text() : std::string("nothing"));
}

}  // namespace weir::detail
