#include <weir/lambda/detail/invocation_run.hpp>

#include <weir/detail/failure_parts.hpp>
#include <weir/error.hpp>

#include <exception>
#include <iterator>

namespace weir::lambda::detail {

invocation_run::invocation_run(context& own, invocation const& of, event e, settings s, bool goes_on, std::chrono::nanoseconds margin)
    : own_(own), invocation_(of), event_(std::move(e)), settings_(std::move(s)), goes_on_(goes_on), margin_(margin) {
  if (of.deadline) own.clock().start(*this, std::chrono::nanoseconds(*of.deadline - own.clock().now()) - margin);
}

invocation_run::~invocation_run() { own_.clock().stop(*this); }

stream_context::metadata_map invocation_run::notes() const {
  stream_context::metadata_map out;
  out["lambda.request_id"] = invocation_.request_id;
  out["lambda.trace_id"] = invocation_.trace_id;
  out["lambda.function_arn"] = invocation_.function_arn;
  out["lambda.source_arn"] = event_.source_arn();
  return out;
}

// First nothing more is read, then what is in hand is cancelled.
void invocation_run::fire() noexcept {
  if (!std::exchange(stopping_, true)) {
    for (under_way const& u : running_) u.part->stop();
    own_.clock().start(*this, margin_ / 2);
    return;
  }
  cancelled_ = true;
  for (under_way const& u : running_) u.branch->cancel();
}

task<bool> invocation_run::run(weir::detail::hosted_partition& part, std::function<task<>()> save) {
  context& own = co_await current_context();
  context branch(own);
  auto const here = running_.insert(running_.end(), under_way{&part, &branch});
  std::exception_ptr failure;
  try {
    task<> all = part.run();
    co_await std::move(all).under(branch);
  } catch (...) {
    failure = std::current_exception();
  }
  running_.erase(here);
  if (!failure) co_return true;
  bool const out_of_time = cancelled_ && weir::detail::code_of(failure) == condition::cancelled;
  if (out_of_time) {  // what was done before is; the commit may have been cancelled with the rest
    try {
      task<> saving = save();
      co_await std::move(saving);
    } catch (std::exception const& e) {
      own_.log().warning("lambda: what was done could not be committed (" + where(part) + "): " + e.what());
    }
  }
  failed(part, out_of_time ? "it was cancelled, as the time of the invocation was up" : weir::detail::reason_of(failure));
  co_return false;
}

void invocation_run::held_back(weir::detail::hosted_partition const& part) {
  if (stopping_) {
    failed(part, "the time of the invocation was up before all was read");
    return;
  }
  failed(part,
         "it returned before all was done: early, or an operator waits for the end of the data (partition_by), which with "
         "settings.checkpoints does not come");
}

void invocation_run::failed(weir::detail::hosted_partition const& part, std::string what) {
  own_.log().error("lambda: the handler did not finish a batch (" + where(part) + "): " + what);
  if (failure_.empty()) failure_ = std::move(what);
}

std::string invocation_run::where(weir::detail::hosted_partition const& part) const {
  auto const at = part.reached().committed();
  std::string out = "pipeline " + std::string(part.about().pipeline()) + ", " + std::string(part.about().stream());
  if (!part.about().partition().empty()) out += ", partition " + std::string(part.about().partition());
  return out + ", request " + invocation_.request_id + ", done up to " + (at ? at->text() : std::string("nothing"));
}

}  // namespace weir::lambda::detail
